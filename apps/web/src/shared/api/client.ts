import type { components, paths } from '@saleschannel/gateway/openapi';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import createClient, { type Client } from 'openapi-fetch';
import { freshSession } from '../session/session.ts';
import { sendChange } from './idempotency.ts';
import { noAnswer, offline, problemOf } from './problem.ts';

/** The messages of the public contract. */
export type Schemas = components['schemas'];

/** The portal passes what is below this path to the API. */
const API = '/api';

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Filters and orders are objects. The contract takes them as JSON, and lists with commas. */
function querySerializer(query: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    parameters.set(name, Array.isArray(value) ? value.join(',') : textOf(value));
  }
  return parameters.toString();
}

async function dispatch(request: Request): Promise<Response> {
  const wasOffline = !navigator.onLine;
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw wasOffline ? offline() : noAnswer();
  }
}

/** A POST that only asks: it changes nothing, and needs no key. */
const QUESTION = /\/inventory\/plan$/;

async function send(request: Request, bodyName?: string): Promise<Response> {
  await freshSession();
  const isChange = request.method !== 'GET' && !QUESTION.test(new URL(request.url).pathname);
  if (!isChange) return dispatch(request);
  return sendChange(request, { store: sessionStorage, send: dispatch, now: Date.now, bodyName });
}

/** For a request whose body is too large to be read for its `Idempotency-Key`. Undefined: it is read. */
export const sendNamed =
  (bodyName: string | undefined) =>
  (request: Request): Promise<Response> =>
    send(request, bodyName);

/** Each POST gets its `Idempotency-Key` when it is sent, so pages give none. */
type Keyless<Operation> = Operation extends { parameters: { header: { 'Idempotency-Key': string } } }
  ? Omit<Operation, 'parameters'> & { parameters: Omit<Operation['parameters'], 'header'> & { header?: never } }
  : Operation;
type KeylessPaths<Paths> = { [Path in keyof Paths]: { [Method in keyof Paths[Path]]: Keyless<Paths[Path][Method]> } };

/** A server's operations, typed by its contract. Give each read the `signal` of its query. */
export const clientOf = <Paths extends object>(baseUrl: string): Client<KeylessPaths<Paths>, 'application/json'> =>
  createClient<KeylessPaths<Paths>, 'application/json'>({
    baseUrl,
    headers: { 'X-Portal': '1', Accept: 'application/json' },
    querySerializer,
    fetch: (request) => send(request),
  });

/** The public API. */
export const api = clientOf<paths>(API);

/** What a request for CSV says, and how its answer is taken. */
export const asCsv = { headers: { Accept: 'text/csv' }, parseAs: 'blob' } as const;

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** What the answer holds. @throws ApiError when it is no success */
export async function dataOf<T>(answering: Promise<Answer<T>>): Promise<T> {
  return (await answerOf(answering)).data;
}

/** What the answer holds, with its headers. @throws ApiError when it is no success */
export async function answerOf<T>(answering: Promise<Answer<T>>): Promise<{ data: T; headers: Headers }> {
  const { data, error, response } = await answering;
  if (!response.ok) throw problemOf(response.status, error, response.headers);
  return { data: data as T, headers: response.headers };
}

/**
 * Who asks, for the headers of a read that is made again and again. What a person opens is their act. What the page
 * then asks again by itself is nobody's, and keeps nobody signed in. Such a read must end when it has never succeeded.
 */
export const askedBy = ({ client, queryKey }: { readonly client: QueryClient; readonly queryKey: QueryKey }) => ({
  'X-Portal': client.getQueryData(queryKey) === undefined ? '1' : 'background',
});

/** The cursor of the next page, from a `Link` header with `rel="next"` (RFC 8288). Undefined on the last one. */
export function nextCursor(link: string | null): string | undefined {
  for (const [, target, parameters] of (link ?? ' ').matchAll(/<([^<>]*)>([^,<]*)/g)) {
    if (target === undefined || !/;\s*rel="?next"?/.test(parameters ?? ' ')) continue;
    const { searchParams } = new URL(target, 'http://any');
    return searchParams.get('$after') ?? searchParams.get('after') ?? undefined;
  }
  return undefined;
}
