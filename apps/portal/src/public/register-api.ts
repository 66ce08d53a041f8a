import type { PublicReply, Upstream } from '@saleschannel/edge/pages';
import type { Request, Response } from 'express';
import { checkStatement } from './check.ts';
import { ReplyCache, type CachedReply } from './reply-cache.ts';
import { readKeys, readStatement, type Statement, type StatementKeys } from './statement.ts';
import type { Verdict } from './statement-page.ts';

const JSON_TYPE = 'application/json';
const KEYS_PATH = '/.well-known/statement-keys.json';
/** Keys change a few times a year. */
const KEYS_CACHED_MS = 60_000;
/** Deadline of the API if there is a cached copy. */
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

  /**
   * Reads data that can only become more public. If the API does not respond, returns a cached copy.
   * @param path path of the API, with query
   */
  async read(request: Request, response: Response, path: string, accept = JSON_TYPE): Promise<CachedReply> {
    const key = `${accept} ${path}`;
    const timeoutMs = this.#cache.has(key) ? COPY_TIMEOUT_MS : undefined;
    return this.#cache.store(key, await this.#upstream.readPublic(request, response, path, accept, timeoutMs));
  }

  readStatement(request: Request, response: Response, id: string): Promise<CachedReply> {
    return this.read(request, response, `/public/v1/statements/${encodeURIComponent(id)}`);
  }

  readCertificate(request: Request, response: Response, id: string): Promise<PublicReply> {
    const path = `/public/v1/certificates/${encodeURIComponent(id)}`;
    return this.#upstream.readPublic(request, response, path, JSON_TYPE);
  }

  async keys(request: Request, response: Response): Promise<CachedReply> {
    const reply = await this.read(request, response, KEYS_PATH);
    if (reply.status === 200) this.#keys = { readKeys: readKeys(reply.body.toString()), readAtMs: this.#now() };
    return reply;
  }

  /** Parses the text of a statement, once. */
  parse({ body }: PublicReply): Statement {
    return this.#lookUpKnown(body).statement;
  }

  /** Checks a statement, once, with keys read within the last minute. */
  async verifyStatement(request: Request, response: Response, { body }: PublicReply): Promise<Verdict> {
    const known = this.#lookUpKnown(body);
    if (known.verdict) return known.verdict;
    if (!this.#keys || this.#now() - this.#keys.readAtMs > KEYS_CACHED_MS) {
      const { status } = await this.keys(request, response);
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
