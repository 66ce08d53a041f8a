import { DomainError } from '@saleschannel/errors';

const LINE_FEED = 0x0a;

const tooLarge = (unit: string, limit: number): DomainError =>
  new DomainError('payload-too-large', `The file has more than ${limit} ${unit}. Send it in parts.`);

/** Counts an upload as it arrives, and refuses it beyond the limits. */
export class UploadQuota {
  readonly #limits: { readonly bytes: number; readonly lines: number };
  #bytes = 0;
  #lineFeeds = 0;
  #endsWithLine = true;

  constructor(limits: { readonly bytes: number; readonly lines: number }) {
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @throws DomainError 'payload-too-large' */
  add(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#bytes += piece.length;
    for (let at = piece.indexOf(LINE_FEED); at !== -1; at = piece.indexOf(LINE_FEED, at + 1)) this.#lineFeeds += 1;
    this.#endsWithLine = piece.at(-1) === LINE_FEED;
    const { bytes, lines } = this.#limits;
    if (this.#bytes > bytes) throw tooLarge('bytes', bytes);
    if (this.#lineFeeds + (this.#endsWithLine ? 0 : 1) > lines) throw tooLarge('lines', lines);
  }
}
