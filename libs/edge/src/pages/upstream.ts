import type { IncomingHttpHeaders } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler, Response } from 'express';
import { hasBody, isSignInChallenge } from '../index.ts';
import { DomainError } from '@saleschannel/errors';
import { FairShare, openSpan, type Logger } from '@saleschannel/runtime';
import { errors, Pool } from 'undici';
import { requestIdOf, sendError, sendProblem } from './problem.ts';
import { requireSession } from './require-session.ts';
import type { Session, Sessions } from './sessions.ts';

const CONNECT_TIMEOUT_MS = 3_000;
/** Longer than the API itself takes for anything. */
const HEADERS_TIMEOUT_MS = 60_000;
/** Between two parts of a body. */
const BODY_TIMEOUT_MS = 60_000;
/** Below the time after which the API closes a silent connection. */
const KEEP_ALIVE_MS = 4_000;
const CONNECTIONS_AT_MOST = 256;
/** More than the pages of one person use at once. A slow body keeps its connection. */
const CONNECTIONS_EACH = 16;
const WAITING_EACH = 64;
/** As many as the API has streams of events open. Each keeps a connection for minutes, and none may lack for them. */
const STREAM_CONNECTIONS_AT_MOST = 1_000;
/** More than the API lets one person have. */
const STREAM_CONNECTIONS_EACH = 64;
/** What anybody asks must not hold up who is signed in. */
const PUBLIC_CONNECTIONS_AT_MOST = 64;
/** More than wait for a connection already are refused, or those who come would wait behind those who have gone. */
const PUBLIC_WAITING_AT_MOST = 1_024;
/** Of what the API does not say itself. */
const RETRY_AFTER_SECONDS = 2;
const EVENT_STREAM = 'text/event-stream';

/** What the browser says that the API may hear. Cookies are not among it: the API knows of none. */
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
 * What the API says that the browser may hear. Of WWW-Authenticate only the challenge of an old sign-in: at the others
 * browsers would ask for a password by themselves.
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

/** What the API says to anybody. */
export interface PublicReply {
  readonly status: number;
  /** Those that browsers may hear. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A public answer is read whole before a page is made of it. */
const PUBLIC_BYTES_AT_MOST = 8 * 1_048_576;
const PUBLIC_TIMEOUT_MS = 15_000;

export interface UpstreamOptions {
  /** Origin of the API. */
  readonly url: URL;
  /** Beginnings of the paths that pages may use. */
  readonly paths: readonly string[];
  readonly sessions: Sessions;
  /** Aborted when the server stops: streams would never end by themselves. */
  readonly closing: AbortSignal;
  readonly logger: Logger;
}

/** A path that is written in one way only, so that what is said of paths here holds behind too. */
function isPlainPath(path: string): boolean {
  if (/\/\/|\\|%2f|%5c|%00|;/i.test(path)) return false;
  return path.split('/').every((segment) => {
    if (segment === '.' || segment === '..') return false;
    // What needs no percent sign must not have one: "%72etire" is "retire" behind.
    return !/%(2d|2e|5f|7e|3[0-9]|4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/i.test(segment);
  });
}

/** Connections, shared fairly between people: the sessions of one person have one share. */
interface SharedPool {
  readonly pool: Pool;
  readonly share: FairShare;
}

const shareOf = (atOnce: number, atOnceEach: number, waitingEach: number): FairShare =>
  new FairShare({
    atOnce,
    atOnceEach,
    waitingEach,
    refusal: () =>
      new DomainError('rate-limited', 'Too many of your requests are under way. Wait for their answers.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      }),
  });

/** Passes requests of pages to the API, with the token of their session. */
export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #ordinary: SharedPool;
  readonly #streams: SharedPool;
  readonly #public: Pool;

  constructor(options: UpstreamOptions) {
    this.#options = options;
    const poolOf = (connections: number): Pool =>
      new Pool(options.url.origin, {
        connections,
        connect: { timeout: CONNECT_TIMEOUT_MS },
        headersTimeout: HEADERS_TIMEOUT_MS,
        bodyTimeout: BODY_TIMEOUT_MS,
        keepAliveTimeout: KEEP_ALIVE_MS,
        pipelining: 1,
      });
    this.#ordinary = {
      pool: poolOf(CONNECTIONS_AT_MOST),
      share: shareOf(CONNECTIONS_AT_MOST, CONNECTIONS_EACH, WAITING_EACH),
    };
    this.#streams = {
      pool: poolOf(STREAM_CONNECTIONS_AT_MOST),
      share: shareOf(STREAM_CONNECTIONS_AT_MOST, STREAM_CONNECTIONS_EACH, 0),
    };
    this.#public = poolOf(PUBLIC_CONNECTIONS_AT_MOST);
  }

  /** To be mounted below the path of the API, after the check of the page. */
  get handler(): RequestHandler {
    return (request, response) => this.#handle(request, response);
  }

  /** Whether the API answers that it is ready. @param path of its readiness */
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
   * Reads what the API tells anybody, for whoever sent the request: it counts for their address. An API that gives no
   * answer is a reply too, as if a proxy had made it.
   * @param path with its query
   */
  async readPublic(
    request: Request,
    response: Response,
    path: string,
    accept: string,
    timeoutMs = PUBLIC_TIMEOUT_MS,
  ): Promise<PublicReply> {
    const requestId = requestIdOf(request, response);
    try {
      if (this.#public.stats.queued >= PUBLIC_WAITING_AT_MOST) throw new Error('too many requests wait for the API');
      const answer = await this.#public.request({
        path,
        method: 'GET',
        headers: { accept, 'x-request-id': requestId, ...(request.ip && { 'x-forwarded-for': request.ip }) },
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#options.closing]),
      });
      const body = await bodyOf(answer.body);
      return { status: answer.statusCode, headers: Object.fromEntries(heard(answer.headers)), body };
    } catch (error) {
      this.#options.logger.warn({ err: error, requestId }, 'the API gave no answer to the public');
      return { status: 503, headers: { 'retry-after': String(RETRY_AFTER_SECONDS) }, body: Buffer.alloc(0) };
    }
  }

  close(): void {
    for (const pool of [this.#ordinary.pool, this.#streams.pool, this.#public]) void pool.destroy();
  }

  async #handle(request: Request, response: Response): Promise<void> {
    const { paths, sessions, logger } = this.#options;
    const { path } = request;
    if (!isPlainPath(path) || !paths.some((beginning) => path.startsWith(beginning))) {
      return sendProblem(request, response, 'route-not-found', 'Nothing of the API is at this address.');
    }
    const session = await requireSession(request, response, { sessions, logger });
    if (session) await this.#pass(request, response, session);
  }

  async #pass(request: Request, response: Response, session: Session): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const signal = AbortSignal.any([gone.signal, this.#options.closing]);
    const span = openSpan('portal.api', { kind: 'client', parent: request.get('traceparent') });
    const isStream = request.get('Accept')?.includes(EVENT_STREAM) === true;
    const { pool, share } = isStream ? this.#streams : this.#ordinary;
    const exchange = async (): Promise<void> => {
      const answer = await pool.request({
        path: request.url,
        method: request.method as 'GET',
        headers: this.#headersFor(request, response, session, span.traceparent),
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
      this.#fail(request, response, error, gone.signal.aborted);
    }
  }

  #headersFor(
    request: Request,
    response: Response,
    { accessToken }: Session,
    traceparent: string,
  ): Record<string, string> {
    const headers: Record<string, string> = {
      authorization: `Bearer ${accessToken}`,
      'x-request-id': requestIdOf(request, response),
      ...(request.ip === undefined ? {} : { 'x-forwarded-for': request.ip }),
      ...(traceparent === '' ? {} : { traceparent }),
    };
    for (const name of REQUEST_HEADERS) {
      const value = request.get(name);
      if (value !== undefined) headers[name] = value;
    }
    return headers;
  }

  #fail(request: Request, response: Response, error: unknown, isGone: boolean): void {
    if (isGone) return;
    const { logger, closing } = this.#options;
    if (response.headersSent || closing.aborted) {
      response.destroy();
      return;
    }
    if (error instanceof DomainError) return sendError(request, response, error);
    logger.warn({ err: error, requestId: requestIdOf(request, response) }, 'the API gave no answer');
    if (error instanceof errors.HeadersTimeoutError) {
      return sendProblem(request, response, 'upstream-timeout', 'The API took too long. It may have done its work.');
    }
    if (isUnreached(error)) return sendProblem(request, response, 'unavailable', 'The API cannot be reached.');
    sendProblem(request, response, 'upstream-failed', 'The API gave no answer. It may have done its work.');
  }
}

const UNREACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Nothing was sent, so that sending it again is safe. */
const isUnreached = (error: unknown): boolean =>
  error instanceof errors.ConnectTimeoutError || UNREACHED.has((error as NodeJS.ErrnoException).code ?? 'none');

/** What the browser may hear. */
const heard = (headers: IncomingHttpHeaders): [string, string][] =>
  RESPONSE_HEADERS.flatMap((name): [string, string][] => {
    const value = headers[name];
    return value === undefined ? [] : [[name, String(value)]];
  });

function copyHeaders(headers: IncomingHttpHeaders, response: Response): void {
  for (const [name, value] of heard(headers)) response.set(name, value);
  const challenge = headers['www-authenticate'];
  if (challenge !== undefined && isSignInChallenge(challenge)) response.set('WWW-Authenticate', challenge);
  if (headers['cache-control'] === undefined) response.set('Cache-Control', 'no-store');
}

/** @throws Error for more than a public answer may have */
async function bodyOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream) {
    bytes += part.length;
    if (bytes > PUBLIC_BYTES_AT_MOST) throw new Error('a public answer is larger than is read here');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
