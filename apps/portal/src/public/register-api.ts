import type { PublicReply, Upstream } from '@saleschannel/edge/pages';
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';
import { checkStatement } from './check.ts';
import { readKeys, readStatement, type Statement, type StatementKeys } from './statement.ts';
import type { Verdict } from './statement-page.ts';

const KEPT_BYTES_AT_MOST = 67_108_864;
/** Also sent to caches (RFC 5861, `stale-if-error`). */
export const STALE_SECONDS_AT_MOST = 3_600;

interface Kept {
  readonly reply: PublicReply;
  atMs: number;
}

/** Answer of the API, or a copy of an earlier answer while the API does not respond. */
export interface CachedReply extends PublicReply {
  /** Undefined for a current answer. */
  readonly ageSeconds: number | undefined;
}

/**
 * Copies of public answers, for times when the API does not respond. Only for data that can only become more public:
 * keys are never withdrawn, shown values of a statement are never hidden again, and public statements stay public
 * (`statement-published`). The state of a certificate can change, so it is not stored.
 */
class ReplyCache {
  readonly #now: () => number;
  readonly #kept = new LRUCache<string, Kept>({
    maxSize: KEPT_BYTES_AT_MOST,
    sizeCalculation: ({ reply }) => reply.body.length + 1_024,
  });

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  has(key: string): boolean {
    return this.#findCopy(key) !== undefined;
  }

  /**
   * Stores an answer of the API. Equal bytes are returned as the same Buffer, as a key for derived data.
   * @param reply has a status of 500 or more if the API did not respond
   */
  store(key: string, reply: PublicReply): CachedReply {
    if (reply.status >= 500) {
      const kept = this.#findCopy(key);
      return kept ? { ...kept.reply, ageSeconds: this.#ageOf(kept) } : { ...reply, ageSeconds: undefined };
    }
    if (reply.status === 200) return { ...this.#keep(key, reply), ageSeconds: undefined };
    // A rate limit says nothing about the content.
    if (reply.status !== 429) this.#kept.delete(key);
    return { ...reply, ageSeconds: undefined };
  }

  #keep(key: string, reply: PublicReply): PublicReply {
    const known = this.#kept.get(key)?.reply;
    const body = known?.body.equals(reply.body) ? known.body : reply.body;
    const kept = { ...reply, body };
    this.#kept.set(key, { reply: kept, atMs: this.#now() });
    return kept;
  }

  #findCopy(key: string): Kept | undefined {
    const kept = this.#kept.get(key);
    return kept && this.#ageOf(kept) <= STALE_SECONDS_AT_MOST ? kept : undefined;
  }

  #ageOf({ atMs }: Kept): number {
    return Math.max(0, Math.floor((this.#now() - atMs) / 1_000));
  }
}

const JSON_TYPE = 'application/json';
const KEYS_PATH = '/.well-known/statement-keys.json';
/** Keys change a few times a year. */
const KEYS_CACHED_MS = 60_000;
const COPY_TIMEOUT_MS = 3_000;

interface Known {
  readonly statement: Statement;
  verdict?: Verdict;
}

/** Calls of the API's public operations. Each counts against the rate limit of the reader's address. */
export class RegisterApi {
  readonly #upstream: Upstream;
  readonly #now: () => number;
  readonly #cache: ReplyCache;
  readonly #known = new WeakMap<Buffer, Known>();
  #keys: { readonly readKeys: StatementKeys; readonly readAtMs: number } | undefined;

  constructor(upstream: Upstream, now: () => number) {
    this.#upstream = upstream;
    this.#now = now;
    this.#cache = new ReplyCache(now);
  }

  /** Reads data that can only become more public. Returns a cached copy if the API does not respond. */
  async read(response: Response, path: string, accept = JSON_TYPE): Promise<CachedReply> {
    const key = `${accept} ${path}`;
    const timeoutMs = this.#cache.has(key) ? COPY_TIMEOUT_MS : undefined;
    return this.#cache.store(key, await this.#upstream.readPublic(response, path, accept, timeoutMs));
  }

  readStatement(response: Response, id: string): Promise<CachedReply> {
    return this.read(response, `/public/v1/statements/${encodeURIComponent(id)}`);
  }

  readCertificate(response: Response, id: string): Promise<PublicReply> {
    const path = `/public/v1/certificates/${encodeURIComponent(id)}`;
    return this.#upstream.readPublic(response, path, JSON_TYPE);
  }

  async keys(response: Response): Promise<CachedReply> {
    const reply = await this.read(response, KEYS_PATH);
    if (reply.status === 200) this.#keys = { readKeys: readKeys(reply.body.toString()), readAtMs: this.#now() };
    return reply;
  }

  /** Parses the text of a statement, once. */
  parse({ body }: PublicReply): Statement {
    return this.#lookUpKnown(body).statement;
  }

  /** Checks a statement, once, with keys read within the last minute. */
  async verifyStatement(response: Response, { body }: PublicReply): Promise<Verdict> {
    const known = this.#lookUpKnown(body);
    if (known.verdict) return known.verdict;
    if (!this.#keys || this.#now() - this.#keys.readAtMs > KEYS_CACHED_MS) {
      const { status } = await this.keys(response);
      if (status !== 200) return { state: 'unknown' };
    }
    const verdict = await checkSignature(this.#keys?.readKeys ?? [], body.toString());
    // Other verdicts may change when a new key is published. Keys are never withdrawn.
    if (verdict.state === 'valid') known.verdict = verdict;
    return verdict;
  }

  #lookUpKnown(body: Buffer): Known {
    const known = this.#known.get(body) ?? { statement: readStatement(body.toString()) };
    this.#known.set(body, known);
    return known;
  }
}

async function checkSignature(keys: StatementKeys, text: string): Promise<Verdict> {
  try {
    await checkStatement(text, keys);
    return { state: 'valid' };
  } catch (error) {
    return { state: 'invalid', reason: error instanceof Error ? error.message : String(error) };
  }
}
