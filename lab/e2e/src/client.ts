import type { Authorization } from '@saleschannel/local';
import { request } from 'undici';
import { checkAnswer } from './contract.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Answer<T> {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Body as received. */
  text: string;
  body: T;
}

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  requestId: string;
  errors?: { pointer?: string; parameter?: string; detail: string; code: string }[];
}

export interface SendOptions {
  body?: unknown;
  headers?: Record<string, string>;
  query?: Record<string, string>;
}

/** A client of the public API that checks every answer against the contract. */
export interface Client {
  /** @throws Error if the contract does not allow the answer */
  send<T = Problem>(method: Method, path: string, options?: SendOptions): Promise<Answer<T>>;
  /** @throws Error if the contract does not allow the answer, or if it is not a success */
  ok<T>(method: Method, path: string, options?: SendOptions): Promise<T>;
}

const TIMEOUT_MS = 30_000;
/** A 503 after this time is a deadline missed on a busy machine. */
const MISSED_DEADLINE_MS = 2_000;
/** Time limit of retries. */
const RETRY_FOR_MS = 60_000;

export const basicAuthorization = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

const authorizationHeader = (authorization: Authorization): string =>
  'bearer' in authorization
    ? `Bearer ${authorization.bearer}`
    : basicAuthorization(authorization.username, authorization.password);

/** Retries repeatable requests that were rejected because they took too long, as clients do. */
async function retryTimeouts<T extends { status: number }>(ask: () => Promise<T>, mayBeRepeated: boolean): Promise<T> {
  for (const end = performance.now() + RETRY_FOR_MS; ;) {
    const began = performance.now();
    const answer = await ask();
    const now = performance.now();
    const hasMissedDeadline = answer.status === 503 && now - began >= MISSED_DEADLINE_MS;
    if (!hasMissedDeadline || !mayBeRepeated || now >= end) return answer;
  }
}

/** Reads the beginning of an endless stream, then cancels it. */
async function readOpening(body: AsyncIterable<Buffer>): Promise<string> {
  for await (const piece of body) return piece.toString();
  return '';
}

export function createClient(baseUrl: string, authorization: Authorization | undefined): Client {
  const own: Record<string, string> =
    authorization === undefined ? {} : { authorization: authorizationHeader(authorization) };

  async function send<T>(
    method: Method,
    path: string,
    { body, headers = {}, query }: SendOptions = {},
  ): Promise<Answer<T>> {
    const target = query === undefined ? path : `${path}?${new URLSearchParams(query).toString()}`;
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const ask = async () => {
      const answer = await request(`${baseUrl}${target}`, {
        method,
        headers: { accept: 'application/json', ...own, ...type, ...headers },
        body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
      });
      const isStream = String(answer.headers['content-type']).startsWith('text/event-stream');
      const text = isStream ? await readOpening(answer.body) : await answer.body.text();
      return { status: answer.statusCode, headers: answer.headers, text };
    };
    const raw = await retryTimeouts(ask, method === 'GET' || method === 'HEAD' || 'idempotency-key' in headers);
    checkAnswer(method, target, raw);
    const isJson = /[/+]json(;|$)/.test(String(raw.headers['content-type'])) && raw.text !== '';
    return { ...raw, body: (isJson ? JSON.parse(raw.text) : undefined) as T };
  }

  return {
    send,
    async ok<T>(method: Method, path: string, options?: SendOptions) {
      const answer = await send<T>(method, path, options);
      if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
      return answer.body;
    },
  };
}
