import type { Request, RequestHandler, Response } from 'express';
import { access, isAllowed, type AccessRule } from '@saleschannel/auth';
import { DomainError, forbidden } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import { durationHistogram, withSpan, type Logger } from '@saleschannel/runtime';
import type { Authenticator, Session } from '../authentication/authenticator.ts';
import { challenges, unauthenticated, type Surface } from '../authentication/credentials.ts';
import type { ContractOperation } from '../contract/document.ts';
import type { Shape } from '../contract/shape.ts';
import type { FailedLogins } from '../limits/failed-logins.ts';
import { rateLimitHeader, type UserLimit } from '../limits/user-limit.ts';
import { sendBody, sendStream, type Answer, type Headers } from './answer.ts';
import { mediaTypeOf, readJsonBody, refuseBody } from './body.ts';
import { discardRest } from './discard.ts';
import { Exchange } from './exchange.ts';
import { asDomainError, renderProblem } from './problem.ts';

/** Carries out one operation: by now the request is known to be allowed and well-formed. */
export type Handler = (exchange: Exchange) => Answer | Promise<Answer>;

export interface PipelineOptions {
  authenticator: Authenticator;
  userLimit: UserLimit;
  failedLogins: FailedLogins;
  bodyBytesAtMost: number;
  /** Headers that every answer has. */
  commonHeaders: Readonly<Record<string, string>>;
  /** True once the process is about to end: connections are not kept. */
  isStopping(): boolean;
  logger: Logger;
}

export interface Pipeline {
  /** The whole way of a request to one operation. */
  operation(contract: ContractOperation, shape: Shape, handler: Handler): RequestHandler;
  /** Answers an error that arose outside of an operation. */
  refuse(request: Request, response: Response, error: unknown, headers?: Readonly<Record<string, string>>): void;
}

const REQUEST_ID = /^[\w.-]{1,128}$/;

const requestIdOf = (request: Request): string => {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId();
};

const surfaceOf = (contract: ContractOperation): Surface | undefined =>
  contract.principal === 'public' ? undefined : contract.principal === 'registry' ? 'REGISTRY' : 'SALES_CHANNEL';

const ruleOf = (contract: ContractOperation): AccessRule | undefined =>
  contract.principal === 'public' ? undefined : access[contract.id as keyof typeof access];

/**
 * The checks in their one order: credentials (401), rate limit (429), role (403), form (400, 413, 415), and then the handler, whose service decides on the
 * things named in the path (404) and the meaning of the request (400). A later check never answers before an earlier one.
 */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { authenticator, userLimit, failedLogins } = options;
  const durations = durationHistogram('http_server_duration', 'Time to answer a request');

  async function authenticate(exchange: Exchange, request: Request, surface: Surface): Promise<Session> {
    const header = request.headers.authorization;
    if (header === undefined || header === '') throw unauthenticated('The request has no credentials.');
    const known = authenticator.known(header, surface);
    if (known) return known;
    const address = request.ip ?? '';
    failedLogins.check(address);
    try {
      return await authenticator.ask(header, surface, { requestId: exchange.requestId });
    } catch (error) {
      if (error instanceof DomainError && error.code === 'unauthenticated') failedLogins.failed(address);
      throw error;
    }
  }

  async function admit(exchange: Exchange, request: Request, surface: Surface, rule: AccessRule): Promise<void> {
    const session = await authenticate(exchange, request, surface);
    exchange.session = session;
    const verdict = userLimit.take(session.limitKey);
    exchange.verdict = verdict;
    if (!verdict.allowed) {
      throw new DomainError('rate-limited', 'Your rate limit is used up: wait for the time in Retry-After.', {
        retryAfterSeconds: verdict.retryAfterSeconds,
      });
    }
    if (!isAllowed(rule, session.principal, exchange.path['userId'])) throw forbidden();
  }

  async function readForm(
    exchange: Exchange,
    request: Request,
    contract: ContractOperation,
    shape: Shape,
  ): Promise<void> {
    if (shape.bodies) mediaTypeOf(request, shape.bodies);
    shape.checkPath(exchange.path);
    exchange.query = shape.readQuery(request.url);
    shape.checkHeaders(request.headers);
    if (contract.streamed) return;
    if (shape.bodies) exchange.body = await readJsonBody(request, shape.bodies, options.bodyBytesAtMost);
    else await refuseBody(request);
  }

  function headersOf(
    exchange: Exchange,
    contentType: string,
    extra: Readonly<Record<string, string>> | undefined,
  ): Headers {
    const headers: Headers = {
      'Content-Type': contentType,
      ...options.commonHeaders,
      'X-Request-Id': exchange.requestId,
      ...extra,
    };
    if (exchange.verdict) {
      headers['RateLimit-Policy'] = userLimit.policy;
      headers['RateLimit'] = rateLimitHeader(exchange.verdict);
    }
    if (options.isStopping()) headers['Connection'] = 'close';
    return headers;
  }

  async function send(exchange: Exchange, answer: Answer): Promise<void> {
    const { response, request } = exchange;
    const headers = headersOf(exchange, answer.contentType, answer.headers);
    if (typeof answer.body === 'string' || Buffer.isBuffer(answer.body))
      sendBody(response, answer.status, headers, answer.body);
    else await sendStream(response, answer.status, headers, answer.body, request.method === 'HEAD');
  }

  function sendProblem(exchange: Exchange, error: DomainError, extra: Readonly<Record<string, string>>): void {
    const { request, response } = exchange;
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    const problem = renderProblem(error, (request as Request).originalUrl, exchange.requestId);
    sendBody(
      response,
      problem.status,
      headersOf(exchange, 'application/problem+json', { ...problem.headers, ...extra }),
      problem.body,
    );
    discardRest(request, response);
  }

  function report(exchange: Exchange, error: DomainError, operation: string): void {
    // A client that went away ends the calls made for it; that is no failure.
    if (exchange.response.destroyed) return;
    if (error.code === 'internal')
      options.logger.error(
        { err: error.cause ?? error, requestId: exchange.requestId, operation },
        `${operation} failed`,
      );
    else if (error.code === 'unavailable')
      options.logger.warn(
        { err: error.cause ?? error, requestId: exchange.requestId, operation },
        `${operation}: ${error.message}`,
      );
  }

  function operation(contract: ContractOperation, shape: Shape, handler: Handler): RequestHandler {
    const surface = surfaceOf(contract);
    const rule = ruleOf(contract);
    if (surface && !rule) throw new Error(`${contract.id} has no access rule`);
    const spanName = `${contract.method.toUpperCase()} ${contract.path}`;
    const attributes = { operation: contract.id };
    const challenge = surface && { 'WWW-Authenticate': challenges[surface] };

    async function run(exchange: Exchange, request: Request): Promise<void> {
      if (surface && rule) await admit(exchange, request, surface, rule);
      await readForm(exchange, request, contract, shape);
      // A body may take long to arrive; the principal token must still live for the rest of the way.
      if (surface && exchange.session && !authenticator.isFresh(exchange.session))
        exchange.session = await authenticate(exchange, request, surface);
      await trusted(async () => send(exchange, await handler(exchange)));
    }

    return (request, response) => {
      const started = performance.now();
      const exchange = new Exchange(request, response, requestIdOf(request), request.params as Record<string, string>);
      const traceparent = request.headers['traceparent'];
      const parent = typeof traceparent === 'string' ? traceparent : undefined;
      void withSpan(spanName, { kind: 'server', attributes, parent }, () => run(exchange, request))
        .catch((cause: unknown) => {
          const error = asDomainError(cause);
          report(exchange, error, contract.id);
          sendProblem(exchange, error, (error.code === 'unauthenticated' && challenge) || {});
        })
        .catch((cause: unknown) => {
          options.logger.error({ err: cause, operation: contract.id }, 'an answer could not be sent');
          response.destroy();
        })
        .finally(() =>
          durations.record((performance.now() - started) / 1_000, {
            operation: contract.id,
            status: response.statusCode,
          }),
        );
    };
  }

  return {
    operation,
    refuse(request, response, cause, headers = {}) {
      const exchange = new Exchange(request, response, requestIdOf(request), {});
      const error = asDomainError(cause);
      report(exchange, error, 'routing');
      sendProblem(exchange, error, headers);
    },
  };
}

/** A service that does not accept the gateway's tokens is our fault, not the client's: only identity says that a credential is wrong. */
async function trusted(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'unauthenticated') throw error;
    throw new DomainError('internal', 'The request could not be completed.', { cause: error });
  }
}
