import {
  discardRest,
  hasBody,
  logFailure,
  matchMediaType,
  readRequestId,
  withOwnCredentials,
  type SecurityLog,
} from '@saleschannel/edge';
import { asDomainError, renderProblem, type DomainError } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import { withSpan, type Logger, type Span } from '@saleschannel/runtime';
import type { Request, RequestHandler, Response } from 'express';
import type { ContractOperation } from '../contract/document.ts';
import type { Form } from '../contract/form.ts';
import type { Input, OperationId } from '../contract/operations.ts';
import { readAnnouncedBytes } from '../limits/rate-limit.ts';
import { createChallenge, createGate, type Admission, type Gate } from './admission.ts';
import {
  prefersCsv,
  type Answer,
  type AnswerTo,
  sendBody,
  sendHeaders,
  sendSlices,
  sendStream,
  type ResponseHeaders,
} from './answer.ts';
import { readBody, type BodyReaderOptions } from './body.ts';
import { createRefusalEntry } from './refusals.ts';
import { RequestContext } from './request-context.ts';
import { recordOutcome, RequestMetrics } from './request-metrics.ts';

export type Handler<Id extends OperationId> = (
  input: Input<Id>,
  context: RequestContext,
) => AnswerTo<Id> | Promise<AnswerTo<Id>>;

export type Handlers = { readonly [Id in OperationId]: Handler<Id> };

export interface Route<Id extends OperationId> {
  readonly contract: ContractOperation<Id>;
  readonly form: Form<Id>;
  readonly handler: Handler<Id>;
}

export interface PipelineOptions extends BodyReaderOptions {
  admission: Admission;
  securityLog: SecurityLog;
  /** Monotonic clock, in milliseconds. */
  now: () => number;
  commonHeaders: Readonly<Record<string, string>>;
  logger: Logger;
}

const REQUEST_ID_CHARACTERS_AT_MOST = 128;

const readOrigin = (request: Request) => ({
  requestId: readRequestId(request, REQUEST_ID_CHARACTERS_AT_MOST) ?? newId(),
  clientAddress: request.ip,
});

const readTraceparent = (request: Request): string | undefined => {
  const { traceparent } = request.headers;
  return typeof traceparent === 'string' ? traceparent : undefined;
};

/**
 * Runs the checks of a request in their fixed order: credentials (401), rate limit (429), role (403), age of the
 * sign-in (401), form (400, 413, 415). Then the handler runs, whose service checks the records in the path (404) and
 * the meaning of the request (400).
 */
export class Pipeline {
  readonly #options: PipelineOptions;
  readonly #logger: Logger;
  readonly #metrics = new RequestMetrics();

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.#logger = options.logger;
  }

  operation<Id extends OperationId>(route: Route<Id>): RequestHandler {
    const { id, method, path } = route.contract;
    const gate = createGate(route.contract);
    const spanName = `${method.toUpperCase()} ${path}`;
    const attributes = {
      'http.request.method': method.toUpperCase(),
      'http.route': path,
      'saleschannel.operation': id,
    };
    const begin = this.#metrics.instrumentOperation(id, method.toUpperCase(), path);
    return (request, response) => {
      const metered = begin();
      const context = new RequestContext(request, response, readOrigin(request));
      let error: DomainError | undefined;
      const answer = async (span: Span): Promise<void> => {
        try {
          await this.#run(context, request, route, gate);
        } catch (cause) {
          error = asDomainError(cause);
          this.#report(context, error, id);
          this.#sendProblem(context, request, error, createChallenge(error, gate));
        } finally {
          this.#options.admission.charge(context);
          if (span.isRecording()) recordOutcome(span, context, error);
        }
      };
      void withSpan(spanName, { kind: 'server', attributes, parent: readTraceparent(request) }, answer)
        .catch((cause: unknown) => {
          this.#logger.error({ err: cause, ...logFields(context), operation: id }, 'an answer could not be sent');
          response.destroy();
        })
        .finally(() => metered.end(context, error?.code));
    };
  }

  refuse(request: Request, response: Response, cause: unknown, headers: Readonly<Record<string, string>> = {}): void {
    const context = new RequestContext(request, response, readOrigin(request));
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
    if (!contract.streamed) context.cost.bodyBytes = readAnnouncedBytes(request);
    if (gate) await admission.admit(context, gate, typeof userId === 'string' ? userId : undefined);
    else if (contract.limited) await admission.admitPublic(context);
    const input = await this.#read(context, request, contract, form);
    context.idempotencyKey = readIdempotencyKey(input.headers);
    if (contract.hasCsv) {
      context.isCsvPreferred = prefersCsv(request);
      context.response.appendHeader('Vary', 'Accept');
    }
    const execute = async (): Promise<void> => {
      if (gate) await admission.renew(context, gate);
      const answer = async (): Promise<void> => this.#send(context, await handler(input, context));
      // Other services can only reject the gateway's credentials. Identity may reject the client's during the request.
      await withOwnCredentials(['unauthenticated'], answer, (error) => error === context.renewalError);
    };
    if (gate) context.onRenewal((isCertain) => admission.renew(context, gate, { isCertain }));
    if (gate && contract.isRead) await this.#runQueued(context, gate, execute);
    else await execute();
  }

  /** Runs a read when its sales channel has a free place. Other requests are limited by services, or batched. */
  #runQueued(context: RequestContext, { receivers }: Gate, work: () => Promise<void>): Promise<void> {
    return this.#options.queues.runRead(context.owner, receivers, async (giveUpPlace) => {
      if (context.response.destroyed) return;
      const { now } = this.#options;
      const startedMs = now();
      let hasPlace = true;
      const end = (): void => {
        if (hasPlace) context.cost.readMs = now() - startedMs;
        hasPlace = false;
        giveUpPlace();
      };
      context.onPlaceGivenUp(end);
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
    if (hasBody(request)) context.sendContinue();
    return { path, query, headers, body: await readBody(context, contract, form, this.#options) };
  }

  async #send(context: RequestContext, { status, contentType, headers, body }: Answer): Promise<void> {
    const { response, request } = context;
    const replayed = context.isReplayed ? { 'Idempotency-Replayed': 'true' } : undefined;
    const all = this.#createHeaders(context, contentType, { ...replayed, ...headers });
    if (status === 304) sendHeaders(response, status, all);
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
    const all = this.#createHeaders(context, 'application/problem+json', { ...headers, ...extra });
    this.#metrics.countProblem(error.code, status);
    sendBody(response, status, all, body);
    if (context.mayHaveBody) discardRest(request, response);
  }

  #createHeaders(
    { requestId, rateLimit }: RequestContext,
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
    if (rateLimit) {
      headers['RateLimit-Policy'] = rateLimit.by.policy;
      headers['RateLimit'] = rateLimit.by.formatState(rateLimit.verdict);
    }
    return headers;
  }

  #report(context: RequestContext, error: DomainError, operation: string): void {
    const { response } = context;
    const refusal = createRefusalEntry(error, context, operation);
    if (refusal) this.#options.securityLog.record(refusal);
    // Calls of a disconnected client are cancelled, which is not a failure.
    if (response.destroyed) return;
    logFailure(this.#logger, error, { ...logFields(context), operation });
  }
}

/** Returns the Idempotency-Key, which every POST of the contract accepts, and no other operation. */
const readIdempotencyKey = (headers: object): string | undefined =>
  (headers as { readonly 'Idempotency-Key'?: string })['Idempotency-Key'];

const logFields = (context: RequestContext) => ({
  requestId: context.requestId,
  salesChannelId: context.salesChannelId,
});
