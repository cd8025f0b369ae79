/** Docker's multiplexed stream: one byte of stream number, three of zero, four of length, content. */
const HEADER_BYTES = 8;
const STREAMS = 3;

/**
 * Splits a multiplexed stream however it is cut into chunks. Content is handed on as it comes, so
 * that a large frame is never gathered. Throws when a header is none.
 */
export class FrameReader {
  readonly #take: (stream: number, content: Buffer) => void;
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerBytes = 0;
  #left = 0;

  /** `take`: stream 1 is standard output, 2 standard error. */
  constructor(take: (stream: number, content: Buffer) => void) {
    this.#take = take;
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      at += this.#left > 0 ? this.#content(chunk.subarray(at)) : this.#head(chunk.subarray(at));
    }
  }

  /** Whether the stream may not end here. */
  get cut(): boolean {
    return this.#left > 0 || this.#headerBytes > 0;
  }

  #head(bytes: Buffer): number {
    const taken = bytes.copy(this.#header, this.#headerBytes);
    this.#headerBytes += taken;
    if (this.#headerBytes < HEADER_BYTES) return taken;
    this.#headerBytes = 0;
    if (this.#header.readUInt32BE(0) % 2 ** 24 !== 0 || this.#header.readUInt8(0) >= STREAMS) {
      throw new Error(
        `Expected a frame of Docker's stream, found the bytes ${this.#header.toString("hex")}`,
      );
    }
    this.#left = this.#header.readUInt32BE(4);
    return taken;
  }

  #content(bytes: Buffer): number {
    const content = bytes.subarray(0, this.#left);
    this.#left -= content.length;
    this.#take(this.#header.readUInt8(0), content);
    return content.length;
  }
}
