import type { PublicReply, Upstream } from '@saleschannel/bff';
import type { Request, Response } from 'express';
import { checked } from './check.ts';
import { readKeys, type StatementKeys } from './statement.ts';
import type { Verdict } from './statement-page.ts';

const JSON_TYPE = 'application/json';
const KEYS_PATH = '/.well-known/statement-keys.json';
/** Keys change a few times a year. */
const KEYS_KEPT_MS = 60_000;

/** The API's public operations, asked for a reader: each one counts for the reader's address. */
export class RegisterApi {
  readonly #upstream: Upstream;
  readonly #now: () => number;
  #keys: { readonly keys: StatementKeys; readonly readAtMs: number } | undefined;

  constructor(upstream: Upstream, now: () => number) {
    this.#upstream = upstream;
    this.#now = now;
  }

  /** @param path of the API, with its query */
  read(request: Request, response: Response, path: string, accept = JSON_TYPE): Promise<PublicReply> {
    return this.#upstream.readPublic(request, response, path, accept);
  }

  statement(request: Request, response: Response, id: string): Promise<PublicReply> {
    return this.read(request, response, `/public/v1/statements/${encodeURIComponent(id)}`);
  }

  certificate(request: Request, response: Response, id: string): Promise<PublicReply> {
    return this.read(request, response, `/public/v1/certificates/${encodeURIComponent(id)}`);
  }

  async keys(request: Request, response: Response): Promise<PublicReply> {
    const reply = await this.read(request, response, KEYS_PATH);
    if (reply.status === 200) this.#keys = { keys: readKeys(reply.body.toString()), readAtMs: this.#now() };
    return reply;
  }

  /** Whether a statement is what was signed, by keys that were read within the last minute. */
  async verdictOn(request: Request, response: Response, text: string): Promise<Verdict> {
    if (!this.#keys || this.#now() - this.#keys.readAtMs > KEYS_KEPT_MS) {
      const { status } = await this.keys(request, response);
      if (status !== 200) return { state: 'unknown' };
    }
    return verdictBy(this.#keys?.keys ?? [], text);
  }
}

/** Whether a statement is what was signed by one of these keys. */
export async function verdictBy(keys: StatementKeys, text: string): Promise<Verdict> {
  try {
    await checked(text, keys);
    return { state: 'valid' };
  } catch (error) {
    return { state: 'invalid', reason: error instanceof Error ? error.message : String(error) };
  }
}
