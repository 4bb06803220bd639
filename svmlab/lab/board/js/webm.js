// @ts-check
// The length of a recorded film. Many browsers record WebM as a stream, whose header says no length, so that players
// cannot show or search it. Here the element Duration is added to the header (matroska.org/technical/elements.html).
// A browser that writes a whole header, with the list SeekHead of positions in the file, writes the length too.

const SEEK_HEAD = [0x11, 0x4d, 0x9b, 0x74], INFO = [0x15, 0x49, 0xa9, 0x66];
const DURATION = [0x44, 0x89, 0x88]; // its id, and that 8 bytes follow
const HEADER = 400; // Info stands within so many bytes

/**
 * Return where an id begins in the header, or -1.
 * @type {(bytes: Uint8Array, id: number[]) => number}
 */
const placeOf = (bytes, id) =>
  bytes.subarray(0, HEADER).findIndex((_byte, i) => id.every((each, j) => bytes[i + j] === each));

/**
 * Return the bytes of a WebM file with its length in milliseconds, or the same bytes if they have no such header.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {number} ms
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function withDuration(bytes, ms) {
  const at = placeOf(bytes, INFO), sizeAt = at + INFO.length;
  const wide = Math.clz32(bytes[sizeAt]) - 23; // the leading zeros of the first byte say how many bytes a size has
  if (at < 0 || placeOf(bytes, SEEK_HEAD) >= 0 || !(wide >= 1 && wide <= 8)) return bytes;
  const first = bytes[sizeAt] & (0xff >> wide), from = sizeAt + wide;
  const size = bytes.subarray(sizeAt + 1, from).reduce((sum, byte) => 256 * sum + byte, first), to = from + size;
  const element = new Uint8Array([...DURATION, 0, 0, 0, 0, 0, 0, 0, 0]), header = new Uint8Array(8);
  new DataView(element.buffer).setFloat64(DURATION.length, ms);
  new DataView(header.buffer).setBigUint64(0, (1n << 56n) + BigInt(size + element.length));
  const parts = [bytes.subarray(0, sizeAt), header, bytes.subarray(from, to), element, bytes.subarray(to)];
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of parts) {
    out.set(part, place);
    place += part.length;
  }
  return out;
}
