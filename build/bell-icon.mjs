// Draws the bell as a PNG, for home screens, which take no SVG.
import { crc32, deflateSync } from 'node:zlib';

/** Samples of a pixel in each direction, so that edges are smooth. */
const samples = 4;
const ground = [63, 81, 214];
const figure = [255, 255, 255];

/** Whether a point of the field of 32 by 32 belongs to the bell, as `bell.svg` draws it. */
function isBell(x, y) {
  const dx = Math.abs(x - 16);
  if (Math.hypot(dx, y - 8.1) < 1.6) return true;
  if (y < 14.6) return Math.hypot(dx, y - 14.6) < 6.2;
  if (y < 18.6) return dx < 6.2;
  if (y < 21.6) return dx < 6.2 + ((y - 18.6) / 3) * 1.9;
  if (y < 22.3) return dx < 8;
  return y > 23.7 && Math.hypot(dx, y - 23.7) < 2.3;
}

/** A square of the colour of the brand with the bell, `scale` times as large as in a field of 32. */
export function bellIcon(size, scale = 1) {
  const rows = [];
  for (let y = 0; y < size; y++) {
    // Each row begins with its filter: none.
    const row = Buffer.alloc(1 + size * 3);
    for (let x = 0; x < size; x++) {
      const share = shareOfBell(x, y, size / 32, scale);
      for (let n = 0; n < 3; n++)
        row[1 + x * 3 + n] = Math.round(ground[n] + (figure[n] - ground[n]) * share);
    }
    rows.push(row);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // Eight bits of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function shareOfBell(x, y, unit, scale) {
  let inside = 0;
  for (let sy = 0; sy < samples; sy++)
    for (let sx = 0; sx < samples; sx++) {
      const at = (pixel, sample) => 16 + ((pixel + (sample + 0.5) / samples) / unit - 16) / scale;
      if (isBell(at(x, sx), at(y, sy))) inside++;
    }
  return inside / samples ** 2;
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
