import { DomainError } from '@saleschannel/errors';

const LINE_FEED = 0x0a;

const tooLarge = (what: string, most: number): DomainError =>
  new DomainError('payload-too-large', `The file has more than ${most} ${what}. Send it in parts.`);

/** Counts what an upload brings, and refuses what is beyond its bounds while it is still coming. */
export class UploadQuota {
  readonly #atMost: { readonly bytes: number; readonly lines: number };
  #bytes = 0;
  #lineFeeds = 0;
  #endsWithLine = true;

  constructor(atMost: { readonly bytes: number; readonly lines: number }) {
    this.#atMost = atMost;
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
    const { bytes, lines } = this.#atMost;
    if (this.#bytes > bytes) throw tooLarge('bytes', bytes);
    if (this.#lineFeeds + (this.#endsWithLine ? 0 : 1) > lines) throw tooLarge('lines', lines);
  }
}
