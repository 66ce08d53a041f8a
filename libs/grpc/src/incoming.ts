import { Metadata, type ServerUnaryCall } from '@grpc/grpc-js';
import type { TokenVerifier } from '@saleschannel/auth';
import { DomainError } from '@saleschannel/errors';
import { isFromThisProcess } from './in-process-exchange.ts';
import { metadataKeys, REPLAYED } from './outgoing.ts';
import type { IncomingCall } from './serving.ts';
import { readCertificateNames, type Tls } from './tls.ts';

/** Created only once, because a DOMException with its stack is a measurable part of a call's cost. */
const CANCELLED = new DOMException('The caller no longer waits.', 'AbortError');

/** Time limit of calls without a deadline. */
const DEFAULT_DEADLINE_MS = 30_000;

/** A call of any kind, as grpc-js passes it. */
export interface Incoming extends Pick<
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
