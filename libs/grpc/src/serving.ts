import { requireAccess, type AccessRule, type TokenVerifier } from '@saleschannel/auth';
import { DomainError, forbidden } from '@saleschannel/errors';
import { durationHistogram, withSpan, type Logger } from '@saleschannel/runtime';
import type { Call } from './types.ts';

/** An RPC as it was registered: which programs may call it, on whose behalf, and what serves it. */
export interface RegisteredRpc {
  readonly callers: readonly string[];
  readonly access: AccessRule;
  readonly handler: unknown;
}

/** What a service stands on, its database for instance: without it calls cannot be served. */
export interface Foundation {
  /** Whether calls can be served now. Never throws. */
  isUsable(): Promise<boolean>;
  /** An error that means "not now" as 'unavailable'. All others as they are. */
  asDomainError(error: unknown): unknown;
}

export interface ServingOptions {
  tokens: TokenVerifier;
  logger: Logger;
  foundation?: Foundation;
}

/** A call as it arrives, alone or among others. */
export interface Arrival {
  /** The calling program. Its token was checked. */
  readonly caller: string;
  readonly principalToken: string | undefined;
  readonly requestId: string | undefined;
  readonly clientAddress: string | undefined;
  readonly operator: string | undefined;
  readonly traceparent: string | undefined;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  /** Tells when nobody waits for the answer any more. */
  readonly ending: { readonly signal: AbortSignal };
}

/** Serves calls of one RPC. */
export interface Serving {
  /**
   * Checks a call and whose it is, runs `work`, and reports how it went.
   * @throws what the caller shall get
   */
  serve<T>(arrive: () => Arrival | Promise<Arrival>, work: (call: Call) => Promise<T>): Promise<T>;
}

/** @param fullName such as `tasks.v1.TasksService/GetTask` */
export function createServing(fullName: string, rpc: RegisteredRpc, options: ServingOptions): Serving {
  const durations = durationHistogram('rpc_server_duration', 'Time to serve an RPC');
  const attributes = { 'rpc.system': 'grpc' };
  return {
    async serve(arrive, work) {
      const started = performance.now();
      let outcome = 'ok';
      try {
        const arrival = await arrive();
        const call = await openCall(arrival, rpc, options.tokens);
        const parent = arrival.traceparent;
        return await withSpan(fullName, { kind: 'server', parent, attributes }, () => work(call));
      } catch (thrown) {
        const error = options.foundation?.asDomainError(thrown) ?? thrown;
        outcome = error instanceof DomainError ? error.code : 'internal';
        if (outcome === 'internal') options.logger.error({ err: error, rpc: fullName }, `${fullName} failed`);
        throw error;
      } finally {
        durations.record((performance.now() - started) / 1000, { rpc: fullName, outcome });
      }
    },
  };
}

async function openCall(arrival: Arrival, rpc: RegisteredRpc, tokens: TokenVerifier): Promise<Call> {
  const { caller, principalToken, requestId, clientAddress, operator, deadline, ending } = arrival;
  if (!rpc.callers.includes(caller)) throw forbidden();
  const principal = rpc.access.principal === 'none' ? undefined : await tokens.principal(principalToken);
  if (principal) requireAccess(rpc.access, principal);
  return {
    caller,
    principal,
    principalToken,
    requestId,
    clientAddress,
    operator,
    deadline,
    // Made when a handler asks for it. Most never do.
    get signal() {
      return ending.signal;
    },
  };
}
