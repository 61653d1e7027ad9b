// A model's files dropped anywhere, or pasted outside a field, become the model; what a tool printed is held against it.

import { textSource } from '../../files/source.mjs';
import { type Found, foundIn } from './reading.ts';

export interface DropHost {
  dragging: boolean;
  takeFiles(find: () => Found | Promise<Found>): void;
  takeLog(text: string): void;
}

const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

const inField = (event: Event): boolean =>
  event.composedPath().some((one) => one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement || one instanceof HTMLSelectElement);

const fileOf = (entry: FileSystemFileEntry): Promise<File> => new Promise((done, failed) => entry.file(done, failed));

/** The files of a folder, not of the folders in it. A reader gives them in portions, an empty one at the end. */
async function filesIn(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader();
  const portion = () => new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
  const files: File[] = [];
  for (let entries = await portion(); entries.length > 0; entries = await portion())
    files.push(...(await Promise.all(entries.filter((one) => one.isFile).map((one) => fileOf(one as FileSystemFileEntry)))));
  return files;
}

/** What is dropped has to be taken in hand before the event ends; reading may take longer. */
function filesOf(transfer: DataTransfer): () => Promise<Found> {
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry?.());
  const folders = entries.filter((entry) => entry?.isDirectory) as FileSystemDirectoryEntry[];
  const files = [...transfer.files].filter(({ name }) => !folders.some((folder) => folder.name === name));
  return async () => foundIn([...files, ...(await Promise.all(folders.map(filesIn))).flat()]);
}

function acceptPaste(target: EventTarget, host: DropHost, signal: AbortSignal): void {
  const paste = (event: Event): void => {
    const { clipboardData } = event as ClipboardEvent;
    if (!clipboardData || inField(event)) return;
    const text = clipboardData.getData('text');
    if (clipboardData.files.length > 0) host.takeFiles(filesOf(clipboardData));
    else if (text.trimStart().startsWith('{')) host.takeFiles(() => ({ sources: [textSource('config.json', text)], left: [] }));
    else if (text.trim()) host.takeLog(text);
  };
  target.addEventListener('paste', paste, { signal });
}

export function acceptDrops(target: EventTarget, host: DropHost, signal: AbortSignal): void {
  const on = (type: string, listen: (event: DragEvent) => void) => target.addEventListener(type, listen as EventListener, { signal });
  let depth = 0; // Enter and leave come for every child.
  on('dragenter', (event) => {
    if (holdsFiles(event)) host.dragging = ++depth > 0;
  });
  on('dragleave', (event) => {
    if (holdsFiles(event)) host.dragging = --depth > 0;
  });
  on('dragover', (event) => {
    if (holdsFiles(event)) event.preventDefault();
  });
  on('drop', (event) => {
    depth = 0;
    host.dragging = false;
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    host.takeFiles(filesOf(event.dataTransfer));
  });
  acceptPaste(target, host, signal);
}
