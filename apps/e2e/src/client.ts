import type { Authorization } from '@saleschannel/local';
import { request } from 'undici';
import { checkAnswer } from './contract.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Answer<T> {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** As it came over the wire. */
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

/** A client of the public API that holds every answer against the contract. */
export interface Client {
  /** @throws Error when the answer is not one that the contract promises */
  send<T = Problem>(method: Method, path: string, options?: SendOptions): Promise<Answer<T>>;
  /** @throws Error when the answer is no success, too */
  ok<T>(method: Method, path: string, options?: SendOptions): Promise<T>;
}

const TIMEOUT_MS = 30_000;

export const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

const authorizationHeader = (authorization: Authorization): string =>
  'bearer' in authorization ? `Bearer ${authorization.bearer}` : basic(authorization.username, authorization.password);

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
    const answer = await request(`${baseUrl}${target}`, {
      method,
      headers: { accept: 'application/json', ...own, ...type, ...headers },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    const raw = { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
    checkAnswer(method, target, raw);
    const isJson = /[/+]json(;|$)/.test(String(answer.headers['content-type'])) && raw.text !== '';
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
