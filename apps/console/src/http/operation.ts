import type { AuditedService } from '@saleschannel/contracts';
import type { OperatorClients } from '@saleschannel/edge/administration';
import type { CallOptions, ServiceClient, Credentials } from '@saleschannel/grpc';
import type { InMemoryAnswers } from '@saleschannel/idempotency/in-memory';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { AnswerOf, OperationId, PathOf } from '../contract/operations.ts';
import type { Addresses } from '../environment.ts';
import type { DeadLetterAccess } from '../handlers/dead-letters.ts';
import type { Watch } from '../watch/watch.ts';
import type { Operator } from './pipeline.ts';

export interface Context {
  readonly operatorClients: OperatorClients;
  readonly audit: Readonly<Record<AuditedService, ServiceClient<'auditLog'>>>;
  /** Clients that count open work of a sales channel. */
  readonly channelUse: {
    readonly tasks: ServiceClient<'channelTasks'>;
    readonly inventory: ServiceClient<'channelUse'>;
  };
  /** For calls of every service. */
  readonly connection: { readonly addresses: Addresses; readonly tokens: Credentials };
  readonly deadLetters: DeadLetterAccess;
  /** Answers to replays of dead letters, by idempotency key. */
  readonly answers: InMemoryAnswers;
  readonly watch: Watch;
}

export interface Input<Id extends OperationId, Query, Body> {
  readonly path: PathOf<Id>;
  readonly query: Query;
  readonly body: Body;
}

export interface Operation {
  /** Undefined for an operation without parameters. */
  readonly query: z.ZodType | undefined;
  /** Undefined for an operation without a body, or with a streamed body. */
  readonly body: z.ZodType | undefined;
  /** Returns undefined if it has sent the answer itself. */
  handle(input: { path: unknown; query: unknown; body: unknown }, context: RequestContext): Promise<unknown>;
}

interface Definition<Id extends OperationId, Query extends z.ZodType, Body extends z.ZodType> {
  readonly query?: Query;
  readonly body?: Body;
  handle(input: Input<Id, z.output<Query>, z.output<Body>>, context: RequestContext): Promise<AnswerOf<Id>>;
}

/** All operations of the contract. A missing operation does not compile. */
export type Operations = { readonly [Id in OperationId]: Operation };

/**
 * Defines one operation of the contract. Requests are validated before `handle` runs, so that the parts have the types
 * of their schemas, and the answer that of the contract.
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

export interface RequestContext {
  readonly request: Request;
  readonly response: Response;
  readonly operator: Operator;
  readonly requestId: string;
  /** Options of calls on behalf of this request. */
  readonly call: CallOptions;
  /** Aborts when the client disconnects or has its answer. */
  readonly disconnected: AbortSignal;
  /** Whether the session is still valid, for long answers. */
  isSessionValid(): Promise<boolean>;
}

interface RequestContextOptions extends Pick<RequestContext, 'operator' | 'requestId' | 'isSessionValid'> {
  readonly idempotencyKey: string | undefined;
}

export function createContext(
  request: Request,
  response: Response,
  { operator, requestId, idempotencyKey, isSessionValid }: RequestContextOptions,
): RequestContext {
  const disconnecting = new AbortController();
  if (response.closed) disconnecting.abort();
  else response.once('close', () => disconnecting.abort());
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
    disconnected: disconnecting.signal,
    isSessionValid,
  };
}
