import { Metadata, type ServerUnaryCall } from '@grpc/grpc-js';
import type { TokenVerifier } from '@saleschannel/auth';
import { DomainError } from '@saleschannel/errors';
import { isFromThisProcess } from './in-process-exchange.ts';
import { metadataKeys, REPLAYED } from './metadata.ts';
import type { Arrival } from './serving.ts';
import { namesIn } from './tls-names.ts';
import type { Tls } from './tls.ts';

/** Made once: a DOMException with its stack costs a part of a call. */
const OVER = new DOMException('Nobody waits for the answer any more.', 'AbortError');

/** Calls without a deadline get this one. */
const DEFAULT_DEADLINE_MS = 30_000;

/** A call of any kind, as the library hands it over. */
export interface Incoming extends Pick<
  ServerUnaryCall<unknown, unknown>,
  'metadata' | 'getDeadline' | 'cancelled' | 'getAuthContext' | 'sendMetadata'
> {
  on(event: 'cancelled', listener: () => void): unknown;
}

export interface Checking {
  tokens: TokenVerifier;
  /** Undefined: plaintext. */
  tls?: Tls | undefined;
}

/** A token that was stolen is worth nothing without the certificate of the program that it was made for. */
function assertOwnToken(incoming: Incoming, caller: string): void {
  const certificate = incoming.getAuthContext().sslPeerCertificate;
  if (!certificate || !namesIn(certificate).has(caller))
    throw new DomainError('unauthenticated', 'The internal token is not that of the TLS certificate.');
}

/** The program that calls, and what it says. @throws DomainError 'unauthenticated' */
export async function arrivalOf(incoming: Incoming, { tokens, tls }: Checking): Promise<Arrival> {
  const text = (key: string): string | undefined => incoming.metadata.get(key)[0]?.toString();
  const caller = await tokens.service(text(metadataKeys.serviceToken));
  // No certificate exists inside a process, whose code could read all keys anyway.
  if (tls && !isFromThisProcess(incoming.getAuthContext())) assertOwnToken(incoming, caller);
  const deadline = Number(incoming.getDeadline());
  return {
    caller,
    principalToken: text(metadataKeys.principalToken),
    requestId: text(metadataKeys.requestId),
    clientAddress: text(metadataKeys.clientAddress),
    operator: decodedText(text(metadataKeys.operator)),
    traceparent: text(metadataKeys.traceparent),
    deadline: Number.isFinite(deadline) ? deadline : Date.now() + DEFAULT_DEADLINE_MS,
    ending: endingOf(incoming),
    idempotencyKey: text(metadataKeys.idempotencyKey),
    markReplayed: () => sendReplayed(incoming),
  };
}

function sendReplayed(incoming: Incoming): void {
  const metadata = new Metadata();
  metadata.set(REPLAYED, 'true');
  incoming.sendMetadata(metadata);
}

/** Names are any text, and metadata is ASCII. */
const decodedText = (encoded: string | undefined): string | undefined =>
  encoded === undefined ? undefined : Buffer.from(encoded, 'base64url').toString();

function endingOf(incoming: Incoming): Arrival['ending'] {
  // Made when somebody asks for it, or the end of every call would abort it.
  let ended: AbortController | undefined;
  incoming.on('cancelled', () => ended?.abort(OVER));
  return {
    get signal() {
      ended ??= new AbortController();
      if (incoming.cancelled) ended.abort(OVER);
      return ended.signal;
    },
    get hasEnded() {
      return incoming.cancelled;
    },
  };
}
