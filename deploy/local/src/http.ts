import { request } from 'undici';

export interface HttpResponse<T> {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: T;
}

export type Authorization = { bearer: string } | { username: string; password: string };

function authorizationHeader(authorization: Authorization): string {
  if ('bearer' in authorization) return `Bearer ${authorization.bearer}`;
  return `Basic ${Buffer.from(`${authorization.username}:${authorization.password}`).toString('base64')}`;
}

export interface HttpClient {
  send<T>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<HttpResponse<T>>;
  /** Returns the body of a successful response. @throws ResponseError for any other */
  ok<T>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<T>;
}

/** A response without success. */
export class ResponseError extends Error {
  override name = 'ResponseError';
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

const TIMEOUT_MS = 30_000;

/** Client of the public API, as a script would use it. */
export function httpClient(baseUrl: string, authorization: Authorization): HttpClient {
  const client: HttpClient = {
    async send<T>(
      method: Parameters<HttpClient['send']>[0],
      path: string,
      options: Parameters<HttpClient['send']>[2] = {},
    ) {
      const headers: Record<string, string> = {
        authorization: authorizationHeader(authorization),
        accept: 'application/json',
        ...options.headers,
      };
      if (options.body !== undefined) headers['content-type'] = 'application/json';
      const answer = await request(new URL(path, baseUrl), {
        method,
        headers,
        body: options.body === undefined ? null : JSON.stringify(options.body),
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
      });
      const text = await answer.body.text();
      return {
        status: answer.statusCode,
        headers: answer.headers,
        body: (text === '' ? undefined : JSON.parse(text)) as T,
      };
    },
    async ok<T>(
      method: Parameters<HttpClient['ok']>[0],
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ) {
      const answer = await client.send<T>(method, path, body === undefined ? { headers } : { body, headers });
      if (answer.status >= 300)
        throw new ResponseError(
          `${method} ${path} responded with ${answer.status}: ${JSON.stringify(answer.body)}`,
          answer.status,
        );
      return answer.body;
    },
  };
  return client;
}

/** Obtains an access token by client credentials (RFC 6749 §4.4). */
export async function fetchToken(tokenEndpoint: string, clientId: string, clientSecret: string): Promise<string> {
  const credentials = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString(
    'base64',
  );
  const answer = await request(tokenEndpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  });
  const body = (await answer.body.json()) as { access_token?: string };
  if (!body.access_token)
    throw new Error(`${tokenEndpoint} responded with ${answer.statusCode}: ${JSON.stringify(body)}`);
  return body.access_token;
}
