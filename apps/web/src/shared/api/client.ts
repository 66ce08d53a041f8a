import type { components, paths } from '@saleschannel/gateway/openapi';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import createClient, { type Client } from 'openapi-fetch';
import { refreshSession } from '../session/session.ts';
import { sendChange } from './idempotency.ts';
import { createNoResponseError, createOfflineError, toApiError } from './problem.ts';

/** Schemas of the public contract. */
export type Schemas = components['schemas'];

/** Base path that the portal forwards to the API. */
const API = '/api';

const toText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Serializes filters and orders as JSON, and lists with commas. */
function querySerializer(query: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    parameters.set(name, Array.isArray(value) ? value.join(',') : toText(value));
  }
  return parameters.toString();
}

async function dispatch(request: Request): Promise<Response> {
  const wasOffline = !navigator.onLine;
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw wasOffline ? createOfflineError() : createNoResponseError();
  }
}

/** POST operations without side effects, which need no key. */
const READ_BY_POST = /\/inventory\/plan$/;

async function send(request: Request, bodyName?: string): Promise<Response> {
  await refreshSession();
  const isChange = request.method !== 'GET' && !READ_BY_POST.test(new URL(request.url).pathname);
  if (!isChange) return dispatch(request);
  return sendChange(request, { store: sessionStorage, send: dispatch, now: Date.now, bodyName });
}

/** Sends a body too large to be hashed for its `Idempotency-Key`. Without a name, the body is read. */
export const sendWithBodyName =
  (bodyName: string | undefined) =>
  (request: Request): Promise<Response> =>
    send(request, bodyName);

/** POST requests get their `Idempotency-Key` when they are sent, so pages omit it. */
type Keyless<Operation> = Operation extends { parameters: { header: { 'Idempotency-Key': string } } }
  ? Omit<Operation, 'parameters'> & { parameters: Omit<Operation['parameters'], 'header'> & { header?: never } }
  : Operation;
type KeylessPaths<Paths> = { [Path in keyof Paths]: { [Method in keyof Paths[Path]]: Keyless<Paths[Path][Method]> } };

/** Client of a server, typed by its contract. Pass each read the `signal` of its query. */
export const createApiClient = <Paths extends object>(
  baseUrl: string,
): Client<KeylessPaths<Paths>, 'application/json'> =>
  createClient<KeylessPaths<Paths>, 'application/json'>({
    baseUrl,
    headers: { 'X-Portal': '1', Accept: 'application/json' },
    querySerializer,
    fetch: (request) => send(request),
  });

/** Client of the public API. */
export const api = createApiClient<paths>(API);

/** Filter of the API for equal values. Undefined if all values are. */
export function toEqualityFilter<F extends object>(values: { readonly [Name in keyof F]?: string | undefined }) {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return undefined;
  return Object.fromEntries(entries.map(([name, value]) => [name, { eq: value }])) as F;
}

/** Options to receive CSV. */
export const asCsv = { headers: { Accept: 'text/csv' }, parseAs: 'blob' } as const;

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** Response body. @throws ApiError unless successful */
export async function unwrapData<T>(answering: Promise<Answer<T>>): Promise<T> {
  return (await unwrapResponse(answering)).data;
}

/** Response body and headers. @throws ApiError unless successful */
export async function unwrapResponse<T>(answering: Promise<Answer<T>>): Promise<{ data: T; headers: Headers }> {
  const { data, error, response } = await answering;
  if (!response.ok) throw toApiError(response.status, error, response.headers);
  return { data: data as T, headers: response.headers };
}

/** Page of a list, and whether further rows exist. @throws ApiError unless successful */
export async function unwrapPage<T>(answering: Promise<Answer<T>>): Promise<{ rows: T; hasMore: boolean }> {
  const { data, headers } = await unwrapResponse(answering);
  return { rows: data, hasMore: nextCursor(headers.get('Link')) !== undefined };
}

/**
 * Headers that mark a repeated read as background activity. Only the first read, when a user opens the page, extends
 * the session. Stop polling if that read fails.
 */
export const createActivityHeaders = ({
  client,
  queryKey,
}: {
  readonly client: QueryClient;
  readonly queryKey: QueryKey;
}) => ({ 'X-Portal': client.getQueryData(queryKey) === undefined ? '1' : 'background' });

/** Cursor of the next page, from a `Link` header with `rel="next"` (RFC 8288). Undefined on the last page. */
export function nextCursor(link: string | null): string | undefined {
  for (const [, target, parameters] of (link ?? ' ').matchAll(/<([^<>]*)>([^,<]*)/g)) {
    if (target === undefined || !/;\s*rel="?next"?/.test(parameters ?? ' ')) continue;
    const { searchParams } = new URL(target, 'http://any');
    return searchParams.get('$after') ?? searchParams.get('after') ?? undefined;
  }
  return undefined;
}
