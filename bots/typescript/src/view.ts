// What one seat sees of a match, folded from updates, and the state hash that proves the fold right (see play.proto).

export interface Update {
  version: number; hash: number; keys: number[]; sizes: number[]; values: number[];
  snapshot: boolean; rolledBack: boolean;
}

const CRC = Int32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? (byte >>> 1) ^ 0xedb88320 : byte >>> 1;
  return byte;
});

/** Goes on with a CRC-32 by one integer, little endian; all bits are flipped before the first and after the last. */
function crc32(crc: number, value: number): number {
  for (let shift = 0; shift < 32; shift += 8) crc = CRC[(crc ^ (value >>> shift)) & 255]! ^ (crc >>> 8);
  return crc;
}

/** MurmurHash3's finalizer. */
export function fmix32(value: number): number {
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** The part of a cell in the state hash; 0 for an empty cell and for a counter of 0. */
function cellHash(key: number, values: number[]): number {
  const isCounter = (key & 3) === 2;
  if (!values.length || (isCounter && values[0] === 0)) return 0;
  return fmix32(~values.reduce(crc32, crc32(-1, key)));
}

export class View {
  /** The cells that are not empty, by key. */
  readonly cells = new Map<number, number[]>();
  version = 0;
  hash = 0;
  /** False from a mismatch until the next snapshot. */
  valid = false;

  /** Takes in an update; says whether the view is the one that the server has. */
  fold(update: Update): boolean {
    if (update.snapshot) {
      this.cells.clear();
      this.hash = 0;
      this.valid = true;
    }
    let start = 0;
    update.keys.forEach((key, i) => {
      const values = update.values.slice(start, (start += update.sizes[i] ?? 0));
      this.hash ^= cellHash(key, this.cells.get(key) ?? []) ^ cellHash(key, values);
      if (values.length) this.cells.set(key, values);
      else this.cells.delete(key);
    });
    this.hash >>>= 0;
    this.version = update.version;
    this.valid &&= this.hash === update.hash && start === update.values.length;
    return this.valid;
  }
}
