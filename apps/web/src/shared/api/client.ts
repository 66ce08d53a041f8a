import type { components, paths } from '@saleschannel/gateway/openapi';
import createClient from 'openapi-fetch';
import { noAnswer, problemOf } from './problem.ts';
import { freshSession } from '../session/session.ts';

/** The messages of the public contract. */
export type Schemas = components['schemas'];

/** The portal passes what is below this path to the API. */
const API = '/api';

/** Filters and orders are objects. The contract takes them as JSON. */
function querySerializer(query: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    parameters.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return parameters.toString();
}

async function send(request: Request): Promise<Response> {
  await freshSession();
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw noAnswer();
  }
}

/** The public API, typed by its contract. Give each read the `signal` of its query. */
export const api = createClient<paths, 'application/json'>({
  baseUrl: API,
  headers: { 'X-Portal': '1', Accept: 'application/json' },
  querySerializer,
  fetch: send,
});

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
