import { createHash } from 'node:crypto';
import type { PublicReply } from '@saleschannel/edge/pages';
import { errorCodes, type DomainError } from '@saleschannel/errors';
import type { Response } from 'express';
import { STALE_SECONDS_AT_MOST } from './memory.ts';
import { pageOf, type Frame, type PageParts } from './layout.ts';
import { nowherePage, troublePage } from './trouble-page.ts';
import { momentOf } from './words.ts';

/** For a minute: more of a statement may become public. */
const SECONDS = 60;

const tagOf = (content: string | Buffer): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

/** How an answer may be found and kept. */
export interface Standing {
  /** Whether anybody may find it, and not only those who have its link. */
  readonly isForAll: boolean;
  /** Age of what the API said. Undefined: it said so just now. */
  readonly ageSeconds?: number | undefined;
}

/** Answers of public pages, and what they say to caches and to search engines. */
export class Answers {
  readonly #frame: Frame;
  readonly #now: () => number;

  /** @param now in milliseconds */
  constructor(frame: Frame, now: () => number) {
    this.#frame = frame;
    this.#now = now;
  }

  page(response: Response, parts: PageParts, standing: Standing): void {
    const { ageSeconds } = standing;
    const notice =
      ageSeconds === undefined
        ? undefined
        : `The register is not responding at the moment. This page shows data of ${this.#momentBefore(ageSeconds)}.`;
    this.document(response, 'text/html; charset=utf-8', pageOf(this.#frame, parts, notice), standing);
  }

  document(response: Response, type: string, content: string | Buffer, { isForAll, ageSeconds }: Standing): void {
    response.set({ 'Content-Type': type, ETag: tagOf(content), ...freshnessOf(isForAll, ageSeconds) });
    if (!isForAll) response.set('X-Robots-Tag', 'noindex');
    // Express answers If-None-Match and HEAD by itself.
    response.send(Buffer.from(content));
  }

  #momentBefore(seconds: number): string {
    return momentOf(new Date(this.#now() - seconds * 1_000).toISOString());
  }

  /**
   * Answers a reader for whom the API had nothing. It refuses an address that means nothing with 400: to a reader that
   * is the same as one where nothing is.
   */
  trouble(response: Response, { status: given, headers }: Pick<PublicReply, 'status' | 'headers'>): void {
    const status = given === 400 ? 404 : [404, 429].includes(given) ? given : 503;
    this.#trouble(response, status, headers['retry-after']);
  }

  /** Answers for an address that no page has. */
  nowhere(response: Response): void {
    this.#send(response, 404, nowherePage);
  }

  /** Answers a request that is at fault itself. */
  refuse(response: Response, { code, retryAfterSeconds }: DomainError): void {
    const status = code === 'malformed-request' ? 404 : errorCodes[code].http;
    this.#trouble(response, status, retryAfterSeconds === undefined ? undefined : String(retryAfterSeconds));
  }

  #trouble(response: Response, status: number, retryAfter: string | undefined): void {
    if (retryAfter !== undefined) response.set('Retry-After', retryAfter);
    this.#send(response, status, troublePage(status, retryAfter));
  }

  #send(response: Response, status: number, parts: PageParts): void {
    response
      .status(status)
      .set({ 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' })
      .send(pageOf(this.#frame, parts));
  }
}

/** A copy is marked as one, and kept by nobody: the next request asks again. */
function freshnessOf(isForAll: boolean, ageSeconds: number | undefined): Record<string, string> {
  if (ageSeconds !== undefined)
    return { 'Cache-Control': 'no-store', Age: String(ageSeconds), Warning: '111 - "Revalidation Failed"' };
  const scope = isForAll ? 'public' : 'private';
  return { 'Cache-Control': `${scope}, max-age=${SECONDS}, stale-if-error=${STALE_SECONDS_AT_MOST}` };
}
