import type { Request, Response } from 'express';
import type { CallOptions } from '@saleschannel/grpc';
import type { Operator } from '../operators.ts';

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
