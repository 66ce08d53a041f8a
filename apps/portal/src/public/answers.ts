import { createHash } from 'node:crypto';
import type { PublicReply } from '@saleschannel/bff';
import type { Response } from 'express';
import { pageOf, type Frame, type PageParts } from './layout.ts';
import { troublePage } from './trouble-page.ts';

/** For a minute: who may see a statement can change. */
const SECONDS = 60;

const tagOf = (content: string | Buffer): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

/** Answers of public pages, and what they say to caches and to search engines. */
export class Answers {
  readonly #frame: Frame;

  constructor(frame: Frame) {
    this.#frame = frame;
  }

  page(response: Response, parts: PageParts, isForAll: boolean): void {
    this.document(response, 'text/html; charset=utf-8', pageOf(this.#frame, parts), isForAll);
  }

  /** @param isForAll whether anybody may find it, and not only those who have its link */
  document(response: Response, type: string, content: string | Buffer, isForAll: boolean): void {
    response.set({
      'Content-Type': type,
      'Cache-Control': `${isForAll ? 'public' : 'private'}, max-age=${SECONDS}`,
      ETag: tagOf(content),
    });
    if (!isForAll) response.set('X-Robots-Tag', 'noindex');
    // Express answers If-None-Match and HEAD by itself.
    response.send(Buffer.from(content));
  }

  /** Of an address that means nothing the API says 400. To a reader it is the same as one where nothing is. */
  trouble(response: Response, { status: given, headers }: Pick<PublicReply, 'status' | 'headers'>): void {
    const status = given === 400 ? 404 : [404, 413, 429].includes(given) ? given : 503;
    const retryAfter = headers['retry-after'];
    if (retryAfter !== undefined) response.set('Retry-After', retryAfter);
    response
      .status(status)
      .set({ 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' })
      .send(pageOf(this.#frame, troublePage(status, retryAfter)));
  }
}
