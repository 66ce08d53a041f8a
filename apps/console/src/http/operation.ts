import type { Request, Response } from 'express';
import type { CallOptions } from '@saleschannel/grpc';
import type { z } from 'zod';
import type { AnswerOf, OperationId, PathOf } from '../contract/operations.ts';
import type { Operator } from '../operators.ts';

/** What a request holds, read by the forms of its operation. */
export interface Input<Id extends OperationId, Query, Body> {
  readonly path: PathOf<Id>;
  readonly query: Query;
  readonly body: Body;
}

/** How the parts of a request are read, and what is done then. */
export interface Operation {
  /** Undefined: it takes no parameters. */
  readonly query: z.ZodType | undefined;
  /** Undefined: it takes no body, or reads it by itself piece by piece. */
  readonly body: z.ZodType | undefined;
  /** Undefined: it has answered by itself. */
  handle(input: { path: unknown; query: unknown; body: unknown }, context: RequestContext): Promise<unknown>;
}

interface Definition<Id extends OperationId, Query extends z.ZodType, Body extends z.ZodType> {
  readonly query?: Query;
  readonly body?: Body;
  handle(input: Input<Id, z.output<Query>, z.output<Body>>, context: RequestContext): Promise<AnswerOf<Id>>;
}

/** Every operation of the contract. One without a definition does not compile. */
export type Operations = { readonly [Id in OperationId]: Operation };

/**
 * One operation of the contract: its answer is what the contract promises. A request's form is checked before it is
 * handled, so that the parts have the types of their schemas.
 */
export const operation =
  <Id extends OperationId>(_id: Id) =>
  <Query extends z.ZodType = z.ZodUndefined, Body extends z.ZodType = z.ZodUndefined>({
    query,
    body,
    handle,
  }: Definition<Id, Query, Body>): Operation => ({
    query,
    body,
    handle: (input, context) => handle(input as Input<Id, z.output<Query>, z.output<Body>>, context),
  });

/** One request on its way, and who sent it. */
export interface RequestContext {
  readonly request: Request;
  readonly response: Response;
  readonly operator: Operator;
  readonly requestId: string;
  /** What every call on behalf of this request carries. The operator's name is that of the audit trail. */
  readonly call: CallOptions;
  /** Aborted when the client goes away, or has its answer. */
  readonly gone: AbortSignal;
  /** Whether the session still lives, for an answer that lasts. */
  goesOn(): Promise<boolean>;
}

interface Named extends Pick<RequestContext, 'operator' | 'requestId' | 'goesOn'> {
  /** The key under which the page may repeat its request. */
  readonly idempotencyKey: string | undefined;
}

export function contextOf(
  request: Request,
  response: Response,
  { operator, requestId, idempotencyKey, goesOn }: Named,
): RequestContext {
  const gone = new AbortController();
  if (response.closed) gone.abort();
  else response.once('close', () => gone.abort());
  return {
    request,
    response,
    operator,
    requestId,
    call: {
      operator: operator.name,
      requestId,
      clientAddress: request.ip,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      onReplayed: () => void response.set('Idempotency-Replayed', 'true'),
    },
    gone: gone.signal,
    goesOn,
  };
}
