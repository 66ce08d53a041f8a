import { Metadata, type ServerUnaryCall } from '@grpc/grpc-js';
import { requireAccess, type AccessRule, type TokenVerifier } from '@saleschannel/auth';
import { DomainError, forbidden } from '@saleschannel/errors';
import { durationHistogram, runWithin, readTraceIds, withSpan, type Logger, type Span } from '@saleschannel/runtime';
import type { Call } from './calls.ts';
import { isFromThisProcess } from './in-process-exchange.ts';
import { metadataKeys, REPLAYED } from './outgoing.ts';
import { toStatusName } from './problems.ts';
import { readCertificateNames, type Tls } from './tls.ts';

/** An RPC as registered: its callers, access rule and handler. */
export interface RegisteredRpc {
  readonly callers: readonly string[];
  readonly access: AccessRule;
  readonly handler: unknown;
}

/** A resource without which a service cannot serve calls, such as its database. */
export interface Foundation {
  /** Whether calls can be served now. Never throws. */
  isUsable(): Promise<boolean>;
  /** Converts a transient error to 'unavailable'. Returns others unchanged. */
  toDomainError(error: unknown): unknown;
}

export interface ServingOptions {
  tokens: TokenVerifier;
  logger: Logger;
  foundation?: Foundation;
}

/** An incoming call, alone or gathered with others. */
export interface IncomingCall {
  /** The calling program, whose token was checked. */
  readonly caller: string;
  readonly principalToken: string | undefined;
  readonly requestId: string | undefined;
  readonly clientAddress: string | undefined;
  readonly operator: string | undefined;
  readonly traceparent: string | undefined;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  /** Signals that the caller no longer waits. */
  readonly ending: { readonly signal: AbortSignal; readonly hasEnded: boolean };
  readonly idempotencyKey: string | undefined;
  readonly markReplayed: () => void;
}

type Attributes = Readonly<Record<string, string>>;

/** Serves calls of one RPC. */
export interface Serving {
  /**
   * Checks a call and its principal, runs `work`, and records the outcome.
   * @throws the error for the caller
   */
  serve<T>(arrive: () => IncomingCall | Promise<IncomingCall>, work: (call: Call) => Promise<T>): Promise<T>;
}

/** @param fullName such as `tasks.v1.TasksService/GetTask` */
export function createServing(fullName: string, rpc: RegisteredRpc, options: ServingOptions): Serving {
  const durations = durationHistogram('rpc.server.call.duration', 'Time to serve an RPC');
  const attributes = { 'rpc.system.name': 'grpc', 'rpc.method': fullName };
  const succeeded: Attributes = { ...attributes, 'rpc.status_code': 'OK' };
  return {
    async serve(arrive, work) {
      const started = performance.now();
      let outcome = succeeded;
      let arrival: IncomingCall | undefined;
      let call: Call | undefined;
      let span: Span | undefined;
      try {
        arrival = await arrive();
        const opened = await openCall(arrival, rpc, options.tokens);
        call = opened;
        const { deadline, ending, traceparent: parent } = arrival;
        // Transactions commit only while the caller waits for the answer.
        const limit = { deadline, isCancelled: () => ending.hasEnded };
        return await withSpan(fullName, { kind: 'server', parent, attributes }, (own) => {
          span = own;
          return runWithin(limit, () => work(opened));
        });
      } catch (thrown) {
        const error = options.foundation?.toDomainError(thrown) ?? thrown;
        const code = error instanceof DomainError ? error.code : 'internal';
        outcome = { ...attributes, 'rpc.status_code': toStatusName(code), 'error.type': code };
        if (code === 'internal') {
          const about = { err: error, rpc: fullName, ...describe(arrival, call), ...readTraceIds(span) };
          options.logger.error(about, `${fullName} failed`);
        }
        throw error;
      } finally {
        durations.record((performance.now() - started) / 1000, outcome);
      }
    },
  };
}

/** Fields of a log line about a call. */
const describe = (arrival: IncomingCall | undefined, call: Call | undefined) => ({
  requestId: arrival?.requestId,
  caller: arrival?.caller,
  salesChannelId: call?.principal?.kind === 'user' ? call.principal.salesChannelId : undefined,
});

async function openCall(arrival: IncomingCall, rpc: RegisteredRpc, tokens: TokenVerifier): Promise<Call> {
  const { caller, principalToken, requestId, clientAddress, operator, deadline, ending, idempotencyKey, markReplayed } =
    arrival;
  if (!rpc.callers.includes(caller)) throw forbidden();
  const principal = rpc.access.principal === 'none' ? undefined : await tokens.verifyPrincipal(principalToken);
  if (principal) requireAccess(rpc.access, principal);
  return {
    caller,
    principal,
    principalToken,
    requestId,
    clientAddress,
    operator,
    deadline,
    idempotencyKey,
    markReplayed,
    // Created on demand, which most handlers never do.
    get signal() {
      return ending.signal;
    },
  };
}

/** Created only once, because a DOMException with its stack is a measurable part of a call's cost. */
const CANCELLED = new DOMException('The caller no longer waits.', 'AbortError');

/** Time limit of calls without a deadline. */
const DEFAULT_DEADLINE_MS = 30_000;

/** A call of any kind, as grpc-js passes it. */
interface Incoming extends Pick<
  ServerUnaryCall<unknown, unknown>,
  'metadata' | 'getDeadline' | 'cancelled' | 'getAuthContext' | 'sendMetadata'
> {
  on(event: 'cancelled', listener: () => void): unknown;
}

export interface Verification {
  tokens: TokenVerifier;
  /** Undefined for plaintext. */
  tls?: Tls | undefined;
}

/** Checks that the certificate names the calling program, so that a stolen token is useless without its certificate. */
function assertOwnToken(incoming: Incoming, caller: string): void {
  const certificate = incoming.getAuthContext().sslPeerCertificate;
  if (!certificate || !readCertificateNames(certificate).has(caller))
    throw new DomainError(
      'unauthenticated',
      'The internal token and the TLS certificate belong to different programs.',
    );
}

/**
 * Reads the calling program and the metadata of a call.
 * @throws DomainError 'unauthenticated'
 */
export async function readIncomingCall(incoming: Incoming, { tokens, tls }: Verification): Promise<IncomingCall> {
  const text = (key: string): string | undefined => incoming.metadata.get(key)[0]?.toString();
  const caller = await tokens.verifyService(text(metadataKeys.serviceToken));
  // Calls inside a process have no certificate, and its code could read all keys anyway.
  if (tls && !isFromThisProcess(incoming.getAuthContext())) assertOwnToken(incoming, caller);
  const deadline = Number(incoming.getDeadline());
  return {
    caller,
    principalToken: text(metadataKeys.principalToken),
    requestId: text(metadataKeys.requestId),
    clientAddress: text(metadataKeys.clientAddress),
    operator: decodeText(text(metadataKeys.operator)),
    traceparent: text(metadataKeys.traceparent),
    deadline: Number.isFinite(deadline) ? deadline : Date.now() + DEFAULT_DEADLINE_MS,
    ending: watchEnd(incoming),
    idempotencyKey: text(metadataKeys.idempotencyKey),
    markReplayed: () => sendReplayed(incoming),
  };
}

function sendReplayed(incoming: Incoming): void {
  const metadata = new Metadata();
  metadata.set(REPLAYED, 'true');
  incoming.sendMetadata(metadata);
}

/** Decodes a text that may contain any characters, since metadata is ASCII. */
const decodeText = (encoded: string | undefined): string | undefined =>
  encoded === undefined ? undefined : Buffer.from(encoded, 'base64url').toString();

function watchEnd(incoming: Incoming): IncomingCall['ending'] {
  // Created on demand. Otherwise every call would create one and abort it at its end.
  let ended: AbortController | undefined;
  incoming.on('cancelled', () => ended?.abort(CANCELLED));
  return {
    get signal() {
      ended ??= new AbortController();
      if (incoming.cancelled) ended.abort(CANCELLED);
      return ended.signal;
    },
    get hasEnded() {
      return incoming.cancelled;
    },
  };
}
