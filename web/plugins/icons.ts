// The page's icon as pictures: the load line of a ship, a circle crossed by a line. Drawn here, so that no picture is committed.

import { deflateSync, crc32 } from 'node:zlib';

const hull = [179, 54, 31] as const;
const paper = [245, 243, 238] as const;

/** The mark in a square of 32: a circle's radius, half of the line's length, half of the stroke. */
const mark = { radius: 9, half: 14, stroke: 1.5 };

export const svgIcon =
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="rgb(${paper.join()})"/>` +
  `<g transform="translate(16 16) scale(.72)" fill="none" stroke="rgb(${hull.join()})" stroke-width="${2 * mark.stroke}">` +
  `<circle r="${mark.radius}"/><path d="M${-mark.half} 0h${2 * mark.half}"/></g></svg>`;

/** How much of the mark covers a point, 0 to 1; `unit` is a pixel in the mark's own measure. */
function covered(x: number, y: number, unit: number): number {
  const ring = Math.abs(Math.hypot(x, y) - mark.radius) - mark.stroke;
  const line = Math.max(Math.abs(y) - mark.stroke, Math.abs(x) - mark.half);
  return Math.min(1, Math.max(0, 0.5 - Math.min(ring, line) / unit));
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/**
 * A PNG of the mark on paper, to its edges, as systems cut their own shape of it.
 * @param size pixels of a side, @param scale of the mark: a cut to a circle takes nothing off up to 0.8
 */
export function pngIcon(size: number, scale = 0.72): Buffer {
  const unit = 32 / (size * scale);
  const rows = Buffer.alloc(size * (1 + 3 * size)); // each row begins with its filter, none
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const share = covered((x + 0.5 - size / 2) * unit, (y + 0.5 - size / 2) * unit, unit);
      for (let part = 0; part < 3; part++)
        rows[y * (1 + 3 * size) + 1 + 3 * x + part] = Math.round(paper[part]! + share * (hull[part]! - paper[part]!));
    }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2, 0, 0, 0], 8); // eight bits each of red, green and blue
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', new Uint8Array())]);
}
