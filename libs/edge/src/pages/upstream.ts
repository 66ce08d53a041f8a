import type { IncomingHttpHeaders } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler, Response } from 'express';
import { DomainError } from '@saleschannel/errors';
import { FairShare, openSpan } from '@saleschannel/runtime';
import { errors, Pool } from 'undici';
import { hasBody, isSignInChallenge } from '../index.ts';
import { getRequestId, sendError, sendProblem } from './problem.ts';
import { requireSession } from './page-requests.ts';
import type { Session } from './sessions.ts';
import type { Site } from './site.ts';

const CONNECT_TIMEOUT_MS = 3_000;
/** Longer than any operation of the API takes. */
const HEADERS_TIMEOUT_MS = 60_000;
const BODY_TIMEOUT_MS = 60_000;
/** Shorter than the keep-alive timeout of the API. */
const KEEP_ALIVE_MS = 4_000;
const CONNECTIONS_AT_MOST = 256;
/** More than the pages of one person use concurrently. A slow body occupies its connection. */
const CONNECTIONS_EACH = 16;
const WAITING_EACH = 64;
/** Equals the limit of event streams of the API. Each occupies a connection for minutes. */
const STREAM_CONNECTIONS_AT_MOST = 1_000;
/** More than the limit of the API per person. */
const STREAM_CONNECTIONS_EACH = 64;
/** Separate connections, so that public requests do not delay signed-in users. */
const PUBLIC_CONNECTIONS_AT_MOST = 64;
/** Further requests are rejected: they would wait behind requests of clients that have disconnected. */
const PUBLIC_WAITING_AT_MOST = 1_024;
/** `Retry-After` of refusals and failures of the portal itself. */
const RETRY_AFTER_SECONDS = 2;
const EVENT_STREAM = 'text/event-stream';

/** Request headers passed to the API, which uses no cookies. */
const REQUEST_HEADERS = [
  'accept',
  'content-type',
  'content-length',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'prefer',
  'last-event-id',
] as const;

/**
 * Response headers passed to the browser. WWW-Authenticate only if it requests a recent sign-in: for other challenges,
 * browsers would ask for a password.
 */
const RESPONSE_HEADERS = [
  'content-type',
  'content-length',
  'content-disposition',
  'cache-control',
  'etag',
  'link',
  'location',
  'preference-applied',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'idempotency-replayed',
  'deprecation',
  'sunset',
  'x-request-id',
] as const;

export interface PublicReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Public answers are buffered, because pages are rendered from them. */
const PUBLIC_BYTES_AT_MOST = 8 * 1_048_576;
const PUBLIC_TIMEOUT_MS = 15_000;

export interface UpstreamOptions extends Pick<Site, 'sessions' | 'closing' | 'logger'> {
  readonly url: URL;
  /** Prefixes of allowed paths. */
  readonly paths: readonly string[];
}

/** Whether a path is in canonical form, so that the API interprets it as this server does. */
function isPlainPath(path: string): boolean {
  if (/\/\/|\\|%2f|%5c|%00|;/i.test(path)) return false;
  return path.split('/').every((segment) => {
    if (segment === '.' || segment === '..') return false;
    // Unreserved characters must not be percent-encoded: the API would read "%72etire" as "retire".
    return !/%(2d|2e|5f|7e|3[0-9]|4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/i.test(segment);
  });
}

/** Connections, shared fairly between people: all sessions of a person have one share. */
interface SharedPool {
  readonly pool: Pool;
  readonly share: FairShare;
}

const createShare = (maxConcurrent: number, maxConcurrentPerOwner: number, maxQueuedPerOwner: number): FairShare =>
  new FairShare({
    maxConcurrent,
    maxConcurrentPerOwner,
    maxQueuedPerOwner,
    refusal: () =>
      new DomainError('rate-limited', 'Too many of your requests are in progress. Wait for their answers.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      }),
  });

export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #ordinary: SharedPool;
  readonly #streams: SharedPool;
  readonly #public: Pool;

  constructor(options: UpstreamOptions) {
    this.#options = options;
    const createPool = (connections: number): Pool =>
      new Pool(options.url.origin, {
        connections,
        connect: { timeout: CONNECT_TIMEOUT_MS },
        headersTimeout: HEADERS_TIMEOUT_MS,
        bodyTimeout: BODY_TIMEOUT_MS,
        keepAliveTimeout: KEEP_ALIVE_MS,
        pipelining: 1,
      });
    this.#ordinary = {
      pool: createPool(CONNECTIONS_AT_MOST),
      share: createShare(CONNECTIONS_AT_MOST, CONNECTIONS_EACH, WAITING_EACH),
    };
    this.#streams = {
      pool: createPool(STREAM_CONNECTIONS_AT_MOST),
      share: createShare(STREAM_CONNECTIONS_AT_MOST, STREAM_CONNECTIONS_EACH, 0),
    };
    this.#public = createPool(PUBLIC_CONNECTIONS_AT_MOST);
  }

  /** Handler to mount below the path of the API, after `requireOwnPage`. */
  get handler(): RequestHandler {
    return (request, response) => this.#handle(request, response);
  }

  /** Whether the API is ready. @param path path of its readiness check */
  async isReady(path: string, timeoutMs: number): Promise<boolean> {
    try {
      const { statusCode, body } = await this.#ordinary.pool.request({
        path,
        method: 'GET',
        signal: AbortSignal.timeout(timeoutMs),
      });
      await body.dump();
      return statusCode === 200;
    } catch {
      return false;
    }
  }

  /**
   * Reads public data of the API for a client, whose address counts for rate limits. Without an answer of the API,
   * returns a reply with status 503.
   * @param path path with query
   */
  async readPublic(
    response: Response,
    path: string,
    accept: string,
    timeoutMs = PUBLIC_TIMEOUT_MS,
  ): Promise<PublicReply> {
    const { ip } = response.req;
    const requestId = getRequestId(response);
    try {
      if (this.#public.stats.queued >= PUBLIC_WAITING_AT_MOST) throw new Error('too many public requests are waiting');
      const answer = await this.#public.request({
        path,
        method: 'GET',
        headers: { accept, 'x-request-id': requestId, ...(ip && { 'x-forwarded-for': ip }) },
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#options.closing]),
      });
      const body = await readBody(answer.body);
      return { status: answer.statusCode, headers: Object.fromEntries(selectHeaders(answer.headers)), body };
    } catch (error) {
      this.#options.logger.warn({ err: error, requestId }, 'the API did not answer a public request');
      return { status: 503, headers: { 'retry-after': String(RETRY_AFTER_SECONDS) }, body: Buffer.alloc(0) };
    }
  }

  close(): void {
    for (const pool of [this.#ordinary.pool, this.#streams.pool, this.#public]) void pool.destroy();
  }

  async #handle(request: Request, response: Response): Promise<void> {
    const { paths, sessions, logger } = this.#options;
    const { path } = request;
    if (!isPlainPath(path) || !paths.some((prefix) => path.startsWith(prefix))) {
      return sendProblem(response, 'route-not-found', 'The API has no operation for pages at this address.');
    }
    const session = await requireSession(response, { sessions, logger });
    if (session) await this.#forward(request, response, session);
  }

  async #forward(request: Request, response: Response, session: Session): Promise<void> {
    const disconnected = new AbortController();
    response.once('close', () => disconnected.abort());
    const signal = AbortSignal.any([disconnected.signal, this.#options.closing]);
    const span = openSpan('portal.api', { kind: 'client', parent: request.get('traceparent') });
    const isStream = request.get('Accept')?.includes(EVENT_STREAM) === true;
    const { pool, share } = isStream ? this.#streams : this.#ordinary;
    const exchange = async (): Promise<void> => {
      const answer = await pool.request({
        path: request.url,
        method: request.method as 'GET',
        headers: this.#createHeaders(response, session, span.traceparent),
        body: hasBody(request) ? request : null,
        signal,
        ...(isStream ? { bodyTimeout: 0 } : {}),
      });
      response.status(answer.statusCode);
      copyHeaders(answer.headers, response);
      if (String(answer.headers['content-type']).startsWith(EVENT_STREAM)) response.set('X-Accel-Buffering', 'no');
      response.flushHeaders();
      await pipeline(answer.body, response, { signal });
    };
    try {
      await share.run(`${session.issuer} ${session.subject}`, exchange);
      span.end();
    } catch (error) {
      span.end(error);
      this.#fail(response, error, disconnected.signal.aborted);
    }
  }

  #createHeaders(response: Response, { accessToken }: Session, traceparent: string): Record<string, string> {
    const { req: request } = response;
    const headers: Record<string, string> = {
      authorization: `Bearer ${accessToken}`,
      'x-request-id': getRequestId(response),
      ...(request.ip === undefined ? {} : { 'x-forwarded-for': request.ip }),
      ...(traceparent === '' ? {} : { traceparent }),
    };
    for (const name of REQUEST_HEADERS) {
      const value = request.get(name);
      if (value !== undefined) headers[name] = value;
    }
    return headers;
  }

  #fail(response: Response, error: unknown, isDisconnected: boolean): void {
    if (isDisconnected) return;
    const { logger, closing } = this.#options;
    if (response.headersSent || closing.aborted) {
      response.destroy();
      return;
    }
    if (error instanceof DomainError) return sendError(response, error);
    logger.warn({ err: error, requestId: getRequestId(response) }, 'the API did not answer');
    if (error instanceof errors.HeadersTimeoutError) {
      return sendProblem(
        response,
        'upstream-timeout',
        'The API did not answer in time. It may have completed the request.',
      );
    }
    if (isUnreached(error)) return sendProblem(response, 'unavailable', 'The API cannot be reached.');
    sendProblem(response, 'upstream-failed', 'The API did not answer. It may have completed the request.');
  }
}

const UNREACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Whether nothing was sent, so that a retry is safe. */
const isUnreached = (error: unknown): boolean =>
  error instanceof errors.ConnectTimeoutError || UNREACHED.has((error as NodeJS.ErrnoException).code ?? 'none');

const selectHeaders = (headers: IncomingHttpHeaders): [string, string][] =>
  RESPONSE_HEADERS.flatMap((name): [string, string][] => {
    const value = headers[name];
    return value === undefined ? [] : [[name, String(value)]];
  });

function copyHeaders(headers: IncomingHttpHeaders, response: Response): void {
  for (const [name, value] of selectHeaders(headers)) response.set(name, value);
  const challenge = headers['www-authenticate'];
  if (challenge !== undefined && isSignInChallenge(challenge)) response.set('WWW-Authenticate', challenge);
  if (headers['cache-control'] === undefined) response.set('Cache-Control', 'no-store');
}

/** @throws Error for an answer above the limit */
async function readBody(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream) {
    bytes += part.length;
    if (bytes > PUBLIC_BYTES_AT_MOST) throw new Error('a public answer of the API is too large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
