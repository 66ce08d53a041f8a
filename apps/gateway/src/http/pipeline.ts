import type { Request, RequestHandler, Response } from 'express';
import { discardRest, hasBody, matchMediaType, refuseBody, type BodyLimits } from '@saleschannel/edge';
import { asDomainError, DomainError, renderProblem } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import { markFailed, withSpan, type Logger, type Span } from '@saleschannel/runtime';
import { challenges } from '../authentication/credentials.ts';
import { SignInTooOld } from '../authentication/recent-sign-in.ts';
import type { ContractOperation } from '../contract/document.ts';
import type { Form } from '../contract/form.ts';
import type { BodyOf, Input, OperationId } from '../contract/operations.ts';
import { refusalEntryOf } from '../security/refusal-entry.ts';
import { SMALL_BODY_BYTES, type ChannelTurns } from '../limits/channel-queues.ts';
import { announcedBytes } from '../limits/cost.ts';
import type { SecurityLog } from '@saleschannel/edge';
import { gateOf, type Admission, type Gate } from './admission.ts';
import { CSV_TYPE, type Answer, type AnswerTo } from './answer.ts';
import { readJsonBody } from './body.ts';
import { RequestContext } from './request-context.ts';
import { RequestMetrics } from './request-metrics.ts';
import { sendBody, sendNothing, sendSlices, sendStream, type ResponseHeaders } from './send.ts';

/** Carries out one operation. By now the request is known to be allowed and well-formed. */
export type Handler<Id extends OperationId> = (
  input: Input<Id>,
  context: RequestContext,
) => AnswerTo<Id> | Promise<AnswerTo<Id>>;

export type Handlers = { readonly [Id in OperationId]: Handler<Id> };

/** An operation with everything that it takes to carry it out. */
export interface Route<Id extends OperationId> {
  readonly contract: ContractOperation<Id>;
  readonly form: Form<Id>;
  readonly handler: Handler<Id>;
}

export interface PipelineOptions {
  admission: Admission;
  turns: ChannelTurns;
  /** `bytes` lowers the limits of the contract. */
  bodyLimits: BodyLimits;
  securityLog: SecurityLog;
  /** Monotonic, in milliseconds. */
  now: () => number;
  /** Headers that every answer has. */
  commonHeaders: Readonly<Record<string, string>>;
  logger: Logger;
}

const REQUEST_ID = /^[\w.-]{1,128}$/;

const requestIdOf = (request: Request): string => {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId();
};

const originOf = (request: Request) => ({ requestId: requestIdOf(request), clientAddress: request.ip });

const traceparentOf = (request: Request): string | undefined => {
  const { traceparent } = request.headers;
  return typeof traceparent === 'string' ? traceparent : undefined;
};

/**
 * The checks in their one order: credentials (401), rate limit (429), role (403), age of the sign-in (401), form (400,
 * 413, 415). Then comes the handler. Its service decides on the things named in the path (404) and the meaning of the
 * request (400). A later check never answers before an earlier one.
 */
export class Pipeline {
  readonly #options: PipelineOptions;
  readonly #logger: Logger;
  readonly #metrics = new RequestMetrics();

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.#logger = options.logger;
  }

  /** The whole way of a request to one operation. */
  operation<Id extends OperationId>(route: Route<Id>): RequestHandler {
    const { id, method, path } = route.contract;
    const gate = gateOf(route.contract);
    const spanName = `${method.toUpperCase()} ${path}`;
    const attributes = {
      'http.request.method': method.toUpperCase(),
      'http.route': path,
      'saleschannel.operation': id,
    };
    const begin = this.#metrics.operation(id, method.toUpperCase(), path);
    return (request, response) => {
      const metered = begin();
      const context = new RequestContext(request, response, originOf(request));
      let error: DomainError | undefined;
      const answer = async (span: Span): Promise<void> => {
        try {
          await this.#run(context, request, route, gate);
        } catch (cause) {
          error = asDomainError(cause);
          this.#report(context, error, id);
          this.#sendProblem(context, request, error, challengeOf(error, gate));
        } finally {
          this.#options.admission.charge(context);
          if (span.isRecording()) describe(span, context, error);
        }
      };
      void withSpan(spanName, { kind: 'server', attributes, parent: traceparentOf(request) }, answer)
        .catch((cause: unknown) => {
          this.#logger.error({ err: cause, ...whose(context), operation: id }, 'an answer could not be sent');
          response.destroy();
        })
        .finally(() => metered.end(context, error?.code));
    };
  }

  /** Answers an error that arose outside of an operation. */
  refuse(request: Request, response: Response, cause: unknown, headers: Readonly<Record<string, string>> = {}): void {
    const context = new RequestContext(request, response, originOf(request));
    const error = asDomainError(cause);
    this.#report(context, error, 'routing');
    this.#sendProblem(context, request, error, headers);
  }

  async #run<Id extends OperationId>(
    context: RequestContext,
    request: Request,
    { contract, form, handler }: Route<Id>,
    gate: Gate | undefined,
  ): Promise<void> {
    const { admission } = this.#options;
    const { userId } = request.params;
    if (!contract.streamed) context.cost.bodyBytes = announcedBytes(request);
    if (gate) await admission.admit(context, gate, typeof userId === 'string' ? userId : undefined);
    else if (contract.limited) await admission.admitAnybody(context);
    const input = await this.#read(context, request, contract, form);
    context.idempotencyKey = keyIn(input.headers);
    if (contract.hasCsv) chooseForm(context, request);
    const carryOut = async (): Promise<void> => {
      if (gate) await admission.renew(context, gate);
      await trusted(context, async () => this.#send(context, await handler(input, context)));
    };
    if (gate) context.onRenewal((isCertain) => admission.renew(context, gate, { isCertain }));
    if (gate && contract.isRead) await this.#inTurn(context, gate, carryOut);
    else await carryOut();
  }

  /** Reads of one sales channel take turns. The rest is bounded by services, or gathered into batches. */
  #inTurn(context: RequestContext, { receivers }: Gate, work: () => Promise<void>): Promise<void> {
    return this.#options.turns.read(context.owner, receivers, async (giveUpTurn) => {
      if (context.response.destroyed) return;
      const { now } = this.#options;
      const startedMs = now();
      let hasTurn = true;
      const end = (): void => {
        if (hasTurn) context.cost.readMs = now() - startedMs;
        hasTurn = false;
        giveUpTurn();
      };
      context.onTurnEnd(end);
      try {
        await work();
      } finally {
        end();
      }
    });
  }

  async #read<Id extends OperationId>(
    context: RequestContext,
    request: Request,
    contract: ContractOperation<Id>,
    form: Form<Id>,
  ): Promise<Input<Id>> {
    if (form.bodies) matchMediaType(request, form.bodies);
    const path = form.readPath(request.params);
    const query = form.readQuery(request.url);
    const headers = form.readHeaders(request.headers);
    if (hasBody(request)) context.askForBody();
    return { path, query, headers, body: await this.#readBody(context, request, contract, form) };
  }

  async #readBody<Id extends OperationId>(
    context: RequestContext,
    request: Request,
    { streamed, bodyBytesAtMost }: ContractOperation<Id>,
    { bodies }: Form<Id>,
  ): Promise<BodyOf<Id>> {
    if (bodies && !streamed) {
      const { turns, bodyLimits } = this.#options;
      const limits = { ...bodyLimits, bytes: Math.min(bodyLimits.bytes, bodyBytesAtMost) };
      const turn = context.cost.bodyBytes > SMALL_BODY_BYTES ? turns.body(context.owner) : undefined;
      try {
        return await readJsonBody(request, bodies, turn ? { ...limits, large: turn } : limits, context.cost);
      } finally {
        turn?.end();
      }
    }
    if (!streamed) await refuseBody(request, this.#options.bodyLimits);
    // The type of the body of such an operation is undefined.
    return undefined as BodyOf<Id>;
  }

  async #send(context: RequestContext, { status, contentType, headers, body }: Answer): Promise<void> {
    const { response, request } = context;
    const replayed = context.isReplay ? { 'Idempotency-Replayed': 'true' } : undefined;
    const all = this.#headersOf(context, contentType, { ...replayed, ...headers });
    if (status === 304) sendNothing(response, status, all);
    else if (typeof body === 'string' || Buffer.isBuffer(body)) await sendSlices(response, status, all, body);
    else await sendStream(response, status, all, body, request.method === 'HEAD');
  }

  #sendProblem(
    context: RequestContext,
    request: Request,
    error: DomainError,
    extra: Readonly<Record<string, string>>,
  ): void {
    const { response } = context;
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    const { status, body, headers } = renderProblem(error, request.originalUrl, context.requestId);
    const all = this.#headersOf(context, 'application/problem+json', { ...headers, ...extra });
    this.#metrics.refuse(error.code, status);
    sendBody(response, status, all, body);
    if (context.hasBodyOnTheWay) discardRest(request, response);
  }

  #headersOf(
    { requestId, limited }: RequestContext,
    contentType: string | undefined,
    extra: Readonly<Record<string, string>> | undefined,
  ): ResponseHeaders {
    const { commonHeaders } = this.#options;
    const headers: ResponseHeaders = {
      ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
      ...commonHeaders,
      'X-Request-Id': requestId,
      ...extra,
    };
    if (limited) {
      headers['RateLimit-Policy'] = limited.by.policy;
      headers['RateLimit'] = limited.by.stateOf(limited.verdict);
    }
    return headers;
  }

  #report(context: RequestContext, error: DomainError, operation: string): void {
    const { response } = context;
    const refusal = refusalEntryOf(error, context, operation);
    if (refusal) this.#options.securityLog.record(refusal);
    // A client that went away ends the calls made for it. That is no failure.
    if (response.destroyed) return;
    const about = { err: error.cause ?? error, ...whose(context), operation };
    if (error.code === 'internal') this.#logger.error(about, `${operation} failed`);
    else if (error.code === 'unavailable') this.#logger.warn(about, `${operation}: ${error.message}`);
  }
}

/** What a 401 asks for (RFC 9110 section 11.6.1). */
function challengeOf(error: DomainError, gate: Gate | undefined): Record<string, string> {
  if (error.code !== 'unauthenticated' || !gate) return {};
  return { 'WWW-Authenticate': error instanceof SignInTooOld ? error.challenge : challenges[gate.surface] };
}

/** Every POST of the contract takes it, and no other operation. */
const keyIn = (headers: object): string | undefined =>
  (headers as { readonly 'Idempotency-Key'?: string })['Idempotency-Key'];

const salesChannelOf = ({ session }: RequestContext): string | undefined =>
  session?.principal.kind === 'user' ? session.principal.salesChannelId : undefined;

/** What a line of the log tells of its request. */
const whose = (context: RequestContext) => ({ requestId: context.requestId, salesChannelId: salesChannelOf(context) });

/** A request that was refused has not failed: that is the client's affair. */
function describe(span: Span, context: RequestContext, error: DomainError | undefined): void {
  const { statusCode } = context.response;
  span.setAttributes({
    'http.response.status_code': statusCode,
    'saleschannel.request_id': context.requestId,
    ...(salesChannelOf(context) !== undefined && { 'saleschannel.sales_channel_id': salesChannelOf(context) }),
    ...(error && statusCode >= 500 && { 'error.type': error.code }),
  });
  if (error && statusCode >= 500) markFailed(span, error.cause ?? error);
}

/** As a client may write them: a parameter that is not offered does not fit. JSON comes first, so it is the default. */
const csvTypes = ['text/csv', 'text/csv;charset=utf-8', 'text/csv;header=present', CSV_TYPE];

/** What the client prefers (RFC 9110 section 12.5.1). Who takes neither gets JSON, as ever. */
function chooseForm(context: RequestContext, request: Request): void {
  context.isCsvWanted = csvTypes.includes(String(request.accepts(['application/json', ...csvTypes])));
  context.response.appendHeader('Vary', 'Accept');
}

/**
 * A service that does not accept the gateway's tokens is a fault of ours, not of the client: only identity says that a
 * credential is wrong. It may do so while the request lasts.
 */
async function trusted(context: RequestContext, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isOurs = error instanceof DomainError && error.code === 'unauthenticated' && error !== context.refusal;
    if (!isOurs) throw error;
    throw new DomainError('internal', 'The request could not be completed.', { cause: error });
  }
}
