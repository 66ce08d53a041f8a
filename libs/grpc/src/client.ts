import type { Client as GrpcClient, ClientOptions, Metadata, MethodDefinition, ServiceError } from '@grpc/grpc-js';
import { services, type ServiceContract } from '@saleschannel/contracts';
import { unavailable } from '@saleschannel/errors';
import { withSpan } from '@saleschannel/runtime';
import { openChannel, RenewedChannel } from './channels.ts';
import { GatheredCalls } from './gathered-client.ts';
import { parseInProcessName } from './listening.ts';
import { MAX_MESSAGE_BYTES } from './in-process-exchange.ts';
import {
  computeDeadline,
  DEFAULT_TIMEOUT_MS,
  createMetadata,
  forwardReplay,
  type ClientConnection,
  type Target,
  retryPolicy,
} from './outgoing.ts';
import { decodeError } from './problems.ts';
import type { CallOptions, HandlersOf, RpcName, ServiceClient, ServiceKey } from './calls.ts';

/** Age at which a channel is renewed. A new replica gets its share of calls within twice this time. */
const CHANNEL_AGE_MS = 5_000;

const gatheredCalls = { service: services.gatheredCalls.name };

/**
 * Whether an RPC is retried when the connection breaks. RPCs that the protos do not declare repeatable fail as
 * 'unavailable'.
 */
const isRepeatable =
  ({ name, repeatable }: ServiceContract<unknown, unknown>) =>
  (path: string): boolean => {
    const [, service = '', method = ''] = path.split('/');
    return service === gatheredCalls.service || (service === name && repeatable.includes(method));
  };

function serviceConfig({ name: service, repeatable }: ServiceContract<unknown, unknown>): string {
  return JSON.stringify({
    loadBalancingConfig: [{ round_robin: {} }],
    methodConfig: [{ name: [...repeatable.map((method) => ({ service, method })), gatheredCalls], retryPolicy }],
  });
}

const clientOptions = (contract: ServiceContract<unknown, unknown>): ClientOptions => ({
  'grpc.service_config': serviceConfig(contract),
  // Otherwise the client would query the name server for another service config, and a finished program would wait for
  // the answer.
  'grpc.service_config_disable_resolution': 1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.min_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  'grpc.keepalive_time_ms': 20_000,
  // As long as a call may take: a briefly busy process is not lost, and closing its connection would fail all its
  // calls.
  'grpc.keepalive_timeout_ms': DEFAULT_TIMEOUT_MS,
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  // By default, all streams of a connection share 64 KiB per turn of the event loop, so a few lists would delay the
  // first messages of other streams. An unread stream holds at most this much.
  'grpc-node.flow_control_window': 512 * 1024,
  // A DNS answer without addresses during a rolling restart is retried soon.
  'grpc.dns_min_time_between_resolutions_ms': 1_000,
  // Connections of its own, which end with the channel, so that no connection outlives the renewal of a certificate.
  'grpc.use_local_subchannel_pool': 1,
  // Nothing reads channelz's records of connections and calls.
  'grpc.enable_channelz': 0,
});

/**
 * Creates a typed client of one service. Every call has a deadline, carries the tokens and the trace, and fails with a
 * DomainError.
 * @param gathered RPCs whose concurrent calls are sent together. They must be repeatable reads with one message each
 * way
 */
export function createClient<K extends ServiceKey>(
  key: K,
  connection: ClientConnection,
  gathered: readonly RpcName<HandlersOf<K>>[] = [],
): ServiceClient<K> {
  const contract: ServiceContract<unknown, unknown> = services[key];
  const receiver = contract.owner ?? connection.receiver;
  if (receiver === undefined) throw new Error(`Several programs serve ${contract.name}. Name the receiver.`);
  const { address, tokens, ageMs = CHANNEL_AGE_MS } = connection;
  const tls = tokens.tls && { own: tokens.tls, receiver };
  const settings = { tls, options: clientOptions(contract), isRepeatable: isRepeatable(contract) };
  const open = (): GrpcClient => openChannel(address, settings);
  // An in-process name always leads to its current server, so it is never resolved again.
  const channel = new RenewedChannel({ open, ageMs: parseInProcessName(address) === undefined ? ageMs : Infinity });
  const methods: Record<string, unknown> = { close: () => channel.close() };
  const target: Target = { ...connection, receiver };
  const gatheredCallsClient = new GatheredCalls(channel, target);
  const isGatheredRpc = (name: string): boolean => (gathered as readonly string[]).includes(name);
  for (const [name, definition] of Object.entries(contract.definition)) {
    const method = definition as MethodDefinition<unknown, unknown>;
    const fullName = `${contract.name}/${name}`;
    methods[name] = isGatheredRpc(name)
      ? createGatheredCaller(gatheredCallsClient, channel, fullName, method, target)
      : createCaller(channel, fullName, method, target);
  }
  return methods as ServiceClient<K>;
}

function createCaller(
  channel: RenewedChannel,
  fullName: string,
  method: MethodDefinition<unknown, unknown>,
  connection: Target,
): unknown {
  const { path, requestSerialize: serialize, responseDeserialize: deserialize } = method;
  const span = { kind: 'client' as const, attributes: { 'rpc.system.name': 'grpc' } };

  if (method.responseStream) {
    return async function* (request: unknown, options: CallOptions = {}): AsyncGenerator<unknown> {
      const ended = options.signal ?? options.within?.signal;
      const metadata = await createMetadata(options, connection);
      // An already aborted signal fires no event.
      if (ended?.aborted) throw unavailable(ended.reason);
      const deadline = computeDeadline(options, connection);
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
        const metadata = await createMetadata(options, connection);
        return new Promise((resolve, reject) => {
          const responded = new AbortController();
          const deadline = computeDeadline(options, connection);
          const call = channel.call((client) =>
            client.makeClientStreamRequest(path, serialize, deserialize, metadata, { deadline }, (error, response) => {
              responded.abort();
              return error ? reject(decodeError(error)) : resolve(response);
            }),
          );
          call.on('metadata', (reply: Metadata) => forwardReplay(reply, options));
          sendAll(requests, call, responded.signal).catch((error: unknown) => {
            call.cancel();
            reject(error as Error);
          });
        });
      });
  }

  return (request: unknown, options: CallOptions = {}) =>
    withSpan(fullName, span, () => callAlone(channel, method, connection, request, options));
}

async function callAlone(
  channel: RenewedChannel,
  { path, requestSerialize, responseDeserialize }: MethodDefinition<unknown, unknown>,
  target: Target,
  request: unknown,
  options: CallOptions,
): Promise<unknown> {
  const metadata = await createMetadata(options, target);
  return new Promise((resolve, reject) => {
    const deadline = computeDeadline(options, target);
    const call = channel.call((client) =>
      client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        metadata,
        { deadline },
        (error, response) => (error ? reject(decodeError(error)) : resolve(response)),
      ),
    );
    // Arrives before the response.
    call.on('metadata', (reply: Metadata) => forwardReplay(reply, options));
  });
}

function createGatheredCaller(
  gatheredCallsClient: GatheredCalls,
  channel: RenewedChannel,
  fullName: string,
  method: MethodDefinition<unknown, unknown>,
  target: Target,
): unknown {
  if (method.requestStream || method.responseStream) throw new Error(`${fullName} is a stream and cannot be gathered.`);
  const span = { kind: 'client' as const, attributes: { 'rpc.system.name': 'grpc' } };
  const callSingly = (request: unknown, options: CallOptions): Promise<unknown> =>
    callAlone(channel, method, target, request, options);
  return (request: unknown, options: CallOptions = {}) =>
    withSpan(fullName, span, () => gatheredCallsClient.call(method, request, options, callSingly));
}

interface RequestSink {
  write(message: unknown): boolean;
  once(event: 'drain', listener: () => void): unknown;
  off(event: 'drain', listener: () => void): unknown;
  end(): unknown;
}

/** Sends requests until all are sent or the receiver has responded. Waits for a slow receiver, to bound memory. */
async function sendAll(requests: AsyncIterable<unknown>, call: RequestSink, responded: AbortSignal): Promise<void> {
  for await (const request of requests) {
    if (responded.aborted) return;
    if (!call.write(request)) await waitForDrain(call, responded);
  }
  call.end();
}

function waitForDrain(call: RequestSink, responded: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      call.off('drain', done);
      responded.removeEventListener('abort', done);
      resolve();
    };
    call.once('drain', done);
    responded.addEventListener('abort', done, { once: true });
    if (responded.aborted) done();
  });
}
