import {
  Client as GrpcClient,
  credentials,
  Metadata,
  type ClientOptions,
  type MethodDefinition,
  type ServiceError,
} from '@grpc/grpc-js';
import type { KeyHolder } from '@saleschannel/auth';
import { services, type ServiceContract } from '@saleschannel/contracts';
import { unavailable } from '@saleschannel/errors';
import { currentTraceparent, withSpan } from '@saleschannel/runtime';
import type { Credentials } from './environment.ts';
import { decodeError } from './problems.ts';
import { metadataKeys } from './metadata.ts';
import { RenewedChannel } from './renewed-channel.ts';
import { tlsOptions } from './tls.ts';
import type { CallOptions, ServiceClient, ServiceKey } from './types.ts';

export interface ClientConnection {
  /** `host:port` */
  address: string;
  tokens: Credentials;
  /** The program at that address, for a service that several programs serve. Else it is the service's own. */
  receiver?: KeyHolder;
  /** For calls that name no time, and for the first message of a stream, whatever time the whole of it may take. */
  timeoutMs?: number;
  /** From when on a channel is renewed. Tests shorten it. */
  ageMs?: number;
}

/**
 * A call gets this when neither it nor its connection names a time. Long enough to ride out the restart of a service,
 * short enough for a waiting user.
 */
const DEFAULT_TIMEOUT_MS = 5_000;
/** A replica that is new has its share of calls within twice this time. */
const CHANNEL_AGE_MS = 5_000;

/**
 * Calls that the protos declare repeatable are sent again when the connection breaks under them. The rest fails as
 * 'unavailable'.
 */
function serviceConfig({ name: service, repeatable }: ServiceContract<unknown, unknown>): string {
  const retryPolicy = {
    maxAttempts: 4,
    initialBackoff: '0.05s',
    maxBackoff: '0.5s',
    backoffMultiplier: 3,
    retryableStatusCodes: ['UNAVAILABLE'],
  };
  return JSON.stringify({
    loadBalancingConfig: [{ round_robin: {} }],
    methodConfig: [{ name: repeatable.map((method) => ({ service, method })), retryPolicy }],
  });
}

const clientOptions = (contract: ServiceContract<unknown, unknown>): ClientOptions => ({
  'grpc.service_config': serviceConfig(contract),
  // The one above is all there is. Without this the name server is asked for another, and a program that is done waits
  // for its answer.
  'grpc.service_config_disable_resolution': 1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.min_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  'grpc.keepalive_time_ms': 20_000,
  'grpc.keepalive_timeout_ms': 2_000,
  'grpc.max_receive_message_length': 8 * 1024 * 1024,
  // All streams of a connection share 64 KiB otherwise, for each turn of this process: a few lists would fill it, and
  // the first messages of others would come too late. A stream that nobody reads holds so much at most.
  'grpc-node.flow_control_window': 512 * 1024,
  // A DNS answer that says "nobody there" during a rolling restart is asked again soon.
  'grpc.dns_min_time_between_resolutions_ms': 1_000,
  // Connections of its own, which end with the channel: what a certificate proved counts no longer than it lives.
  'grpc.use_local_subchannel_pool': 1,
});

/**
 * A typed client of one service. Every call has a deadline, carries the tokens and the trace, and fails with a
 * DomainError.
 */
export function createClient<K extends ServiceKey>(key: K, connection: ClientConnection): ServiceClient<K> {
  const contract: ServiceContract<unknown, unknown> = services[key];
  const receiver = contract.owner ?? connection.receiver;
  if (receiver === undefined) throw new Error(`several programs serve ${contract.name}: name the receiver`);
  const { address, tokens, ageMs = CHANNEL_AGE_MS } = connection;
  const options = { ...clientOptions(contract), ...(tokens.tls && tlsOptions(receiver)) };
  const open = (): GrpcClient =>
    new GrpcClient(address, tokens.tls?.clientOf(receiver) ?? credentials.createInsecure(), options);
  const channel = new RenewedChannel({ open, ageMs });
  const methods: Record<string, unknown> = { close: () => channel.close() };
  for (const [name, definition] of Object.entries(contract.definition)) {
    const method = definition as MethodDefinition<unknown, unknown>;
    methods[name] = callerOf(channel, `${contract.name}/${name}`, method, { ...connection, receiver });
  }
  return methods as ServiceClient<K>;
}

/** A call made for another one ends this much before it, so that the other one can still say what happened. */
const ANSWER_MARGIN_MS = 250;

function deadlineOf(
  options: CallOptions,
  { timeoutMs = DEFAULT_TIMEOUT_MS }: Pick<ClientConnection, 'timeoutMs'>,
): number {
  const own = Date.now() + (options.timeoutMs ?? timeoutMs);
  return options.within ? Math.min(own, options.within.deadline - ANSWER_MARGIN_MS) : own;
}

/** A connection, and the program at its other end. */
interface Target extends Omit<ClientConnection, 'receiver'> {
  readonly receiver: string;
}

async function metadataOf(options: CallOptions, { tokens, receiver }: Target): Promise<Metadata> {
  // Waiting for a connection, up to the deadline, instead of failing at once: services restart in any order.
  const metadata = new Metadata({ waitForReady: true });
  metadata.set(metadataKeys.serviceToken, await tokens.for(receiver));
  const passedOn = options.forPrincipal ? options.within?.principalToken : undefined;
  const principalToken = options.principalToken ?? passedOn;
  if (principalToken) metadata.set(metadataKeys.principalToken, principalToken);
  const requestId = options.requestId ?? options.within?.requestId;
  if (requestId) metadata.set(metadataKeys.requestId, requestId);
  const clientAddress = options.clientAddress ?? options.within?.clientAddress;
  if (clientAddress) metadata.set(metadataKeys.clientAddress, clientAddress);
  const traceparent = currentTraceparent();
  if (traceparent) metadata.set(metadataKeys.traceparent, traceparent);
  return metadata;
}

function callerOf(
  channel: RenewedChannel,
  fullName: string,
  method: MethodDefinition<unknown, unknown>,
  connection: Target,
): unknown {
  const { path, requestSerialize: serialize, responseDeserialize: deserialize } = method;
  const span = { kind: 'client' as const, attributes: { 'rpc.system': 'grpc' } };

  if (method.responseStream) {
    return async function* (request: unknown, options: CallOptions = {}): AsyncGenerator<unknown> {
      const ended = options.signal ?? options.within?.signal;
      const metadata = await metadataOf(options, connection);
      // A signal that was given already is not given again.
      if (ended?.aborted) throw unavailable(ended.reason);
      const deadline = deadlineOf(options, connection);
      const call = channel.call((client) =>
        client.makeServerStreamRequest(path, serialize, deserialize, request, metadata, { deadline }),
      );
      const cancel = (): void => call.cancel();
      ended?.addEventListener('abort', cancel, { once: true });
      let isLate = false;
      const late = setTimeout(() => {
        isLate = true;
        cancel();
      }, connection.timeoutMs ?? DEFAULT_TIMEOUT_MS);
      try {
        for await (const message of call) {
          clearTimeout(late);
          yield message;
        }
      } catch (error) {
        throw isLate ? unavailable(error) : decodeError(error as ServiceError);
      } finally {
        clearTimeout(late);
        ended?.removeEventListener('abort', cancel);
        cancel();
      }
    };
  }

  if (method.requestStream) {
    return (requests: AsyncIterable<unknown>, options: CallOptions = {}) =>
      withSpan(fullName, span, async () => {
        const metadata = await metadataOf(options, connection);
        return new Promise((resolve, reject) => {
          const answered = new AbortController();
          const deadline = deadlineOf(options, connection);
          const call = channel.call((client) =>
            client.makeClientStreamRequest(path, serialize, deserialize, metadata, { deadline }, (error, response) => {
              answered.abort();
              return error ? reject(decodeError(error)) : resolve(response);
            }),
          );
          sendAll(requests, call, answered.signal).catch((error: unknown) => {
            call.cancel();
            reject(error as Error);
          });
        });
      });
  }

  return (request: unknown, options: CallOptions = {}) =>
    withSpan(fullName, span, async () => {
      const metadata = await metadataOf(options, connection);
      return new Promise((resolve, reject) => {
        const deadline = deadlineOf(options, connection);
        channel.call((client) =>
          client.makeUnaryRequest(path, serialize, deserialize, request, metadata, { deadline }, (error, response) =>
            error ? reject(decodeError(error)) : resolve(response),
          ),
        );
      });
    });
}

interface RequestSink {
  write(message: unknown): boolean;
  once(event: 'drain', listener: () => void): unknown;
  off(event: 'drain', listener: () => void): unknown;
  end(): unknown;
}

/**
 * Sends with backpressure, so a slow receiver slows the sender and memory stays flat, until everything is sent or the
 * receiver has answered.
 */
async function sendAll(requests: AsyncIterable<unknown>, call: RequestSink, answered: AbortSignal): Promise<void> {
  for await (const request of requests) {
    if (answered.aborted) return;
    if (!call.write(request)) await drained(call, answered);
  }
  call.end();
}

function drained(call: RequestSink, answered: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      call.off('drain', done);
      answered.removeEventListener('abort', done);
      resolve();
    };
    call.once('drain', done);
    answered.addEventListener('abort', done, { once: true });
    if (answered.aborted) done();
  });
}
