// Files that arrive together, told apart: those that describe a model, what a tool printed, and the rest.

import '../../languages/texts-files.ts';
import { assets } from '../../engine/assets.ts';
import { headBytes, snapshotKind } from '../../files/snapshots.mjs';
import type { Found } from './reading.ts';
import { chooseFiles } from '../../files/choosing.mjs';
import { fileSource } from '../../files/source.mjs';

/** Bytes that are read of each end of a longer log: its start says the settings, its end what went wrong. */
const most = 8 * 2 ** 20;

/** Endings of files that hold weights or a description of a model, whatever is in them. */
const ofModels = /\.(json|safetensors|gguf|bin|pt|pth|onnx|model|npz)$/i;
/** Endings that people give to what a tool printed. */
const ofLogs = /(^[^.]+|\.(log|txt|out|err))$/i;

function decoded(bytes: Uint8Array): string {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe; // as PowerShell writes it
  return new TextDecoder(wide ? 'utf-16le' : 'utf-8').decode(bytes);
}

/** What a file says, as text; of a long one both ends. */
export async function textOf(file: File): Promise<string> {
  const read = async (from: number, to: number): Promise<string> => decoded(new Uint8Array(await file.slice(from, to).arrayBuffer()));
  if (file.size <= 2 * most) return read(0, file.size);
  return `${await read(0, most)}\n${await read(file.size - most, file.size)}`;
}

/** Whether it is text at all, and no JSON. */
const isProse = (text: string): boolean => text.trim() !== '' && !text.includes('\0') && !text.trimStart().startsWith('{');

/** Whether the reader of logs knows who printed it. Without a network it stays away, and nothing is known. */
async function isKnown(text: string): Promise<boolean> {
  const door = await assets()
    .logs()
    .catch(() => undefined);
  return door !== undefined && (JSON.parse(door.reconcile(text)) as { tool: string | null }).tool !== null;
}

/** The text of a file that a tool printed. A single file is taken so unless it is a model's; among others a tool must be known. */
async function logIn(file: File, alone: boolean): Promise<string | undefined> {
  if (ofModels.test(file.name) || !(alone || ofLogs.test(file.name))) return undefined;
  const text = await textOf(file);
  return isProse(text) && (alone || (await isKnown(text))) ? text : undefined;
}

/** How a file would be read as a snapshot of memory, by its first bytes. */
export const snapshotOf = async (file: File) => snapshotKind(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()));

async function snapshotAmong(files: readonly File[]): Promise<File | undefined> {
  // Weights that were stored as a pickle begin alike.
  const likely = files.filter(({ name }) => !/\.(safetensors|gguf|bin|pt|pth|onnx|model|npz)$/i.test(name));
  const kinds = await Promise.all(likely.map(snapshotOf));
  return likely[kinds.findIndex((kind) => kind !== undefined)];
}

/** What a hand dropped or picked: of many files those that describe the model, and what a tool printed. */
export async function foundIn(files: readonly File[]): Promise<Found> {
  const snapshot = await snapshotAmong(files);
  if (snapshot) return { sources: [], left: files.filter((file) => file !== snapshot).map(({ name }) => name), log: snapshot };
  const texts = await Promise.all(files.map((file) => logIn(file, files.length === 1)));
  const logs = texts.filter((text) => text !== undefined);
  const { chosen, left } = chooseFiles(files.filter((_, at) => texts[at] === undefined));
  return { sources: chosen.map(fileSource), left: left.map(({ name }) => name), log: logs.length > 0 ? logs.join('\n') : undefined };
}
