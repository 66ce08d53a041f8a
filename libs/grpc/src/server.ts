import type { SecureServerOptions } from 'node:http2';
import {
  Server,
  ServerCredentials,
  type sendUnaryData,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type UntypedHandleCall,
} from '@grpc/grpc-js';
import type { AccessRule, KeyHolder, TokenVerifier } from '@saleschannel/auth';
import { services, type ServiceContract } from '@saleschannel/contracts';
import type { Logger, Part, Values } from '@saleschannel/runtime';
import type { grpcEnvironment, ServiceIdentity } from './environment.ts';
import { serveGatheredCalls, type GatheredRpc } from './gathered-server.ts';
import { createHealth } from './health.ts';
import { readIncomingCall, createServing, type Foundation, type RegisteredRpc } from './serving.ts';
import { MAX_MESSAGE_BYTES } from './in-process-exchange.ts';
import { createListeners, listen } from './listening.ts';
import { encodeError } from './problems.ts';
import type { Tls } from './tls.ts';
import type { Call, Handler, HandlersOf, RpcName, ServiceKey } from './calls.ts';

/** One RPC: its callers, access rule and handler. */
export interface RpcDefinition<H, Context> {
  readonly callers: readonly KeyHolder[];
  readonly access: AccessRule;
  readonly handler: (context: Context) => Handler<H>;
}

/** Definitions of all RPCs of a gRPC service. */
export type RpcDefinitions<K extends ServiceKey, Context> = {
  readonly [Name in RpcName<HandlersOf<K>>]: RpcDefinition<HandlersOf<K>[Name & keyof HandlersOf<K>], Context>;
};

/** A gRPC service of the contract, with its RPCs bound to their handlers. */
export interface Registration {
  readonly contract: ServiceContract<unknown, unknown>;
  readonly rpcs: Readonly<Record<string, RegisteredRpc>>;
}

/**
 * Binds handlers to every RPC of a service. A missing RPC does not compile.
 * @throws Error if the protos have an RPC that the generated types lack
 */
export function implement<K extends ServiceKey, Context>(
  key: K,
  context: Context,
  definitions: RpcDefinitions<K, Context>,
): Registration {
  const contract: ServiceContract<unknown, unknown> = services[key];
  const entries = Object.entries<RpcDefinition<unknown, Context>>(definitions);
  const rpcs = Object.fromEntries(entries.map(([name, rpc]) => [name, { ...rpc, handler: rpc.handler(context) }]));
  for (const name of Object.keys(contract.definition)) {
    if (!Object.hasOwn(rpcs, name)) throw new Error(`${contract.name}.${name} has no handler and no access rule.`);
  }
  return { contract, rpcs };
}

export interface GrpcServerOptions {
  /** A host, `in-process:<name>`, or both separated by a comma. */
  host: string;
  /** 0 chooses a free port. */
  port: number;
  services: Registration[];
  tokens: TokenVerifier;
  logger: Logger;
  foundation?: Foundation;
  /** Interval between checks of the foundation. */
  healthIntervalMs?: number;
  /** Undefined for plaintext. */
  tls?: Tls | undefined;
  /** Port that serves only health, in plaintext, because a probe has no certificate. Undefined for none. */
  healthPort?: number | undefined;
}

export interface GrpcServer extends Part {
  /** `host:port`, known once started, or `in-process:<name>` of a server without a socket. */
  readonly address: string;
  /** Plaintext address of health checks, known once started. Undefined without a health port. */
  readonly healthAddress: string | undefined;
}

/**
 * Streams that a caller may cancel at once, and per second. Node's limits are 1,000 and 33. Beyond them, it closes the
 * connection with all other calls, to protect servers from attackers. Here only our own programs connect, and an API
 * client that abandons its lists would interrupt all requests of its gateway.
 */
const MAX_STREAM_RESETS = 100_000;

/** Sets options that grpc-js does not offer, but passes to node:http2 when it binds. */
function allowStreamResets(server: Server): void {
  const { commonServerOptions } = server as unknown as { commonServerOptions: SecureServerOptions };
  commonServerOptions.streamResetBurst = MAX_STREAM_RESETS;
  commonServerOptions.streamResetRate = MAX_STREAM_RESETS;
}

/** Creates the gRPC server of a service, with health checks, token checks, errors, traces and metrics. */
export function createGrpcServer(options: GrpcServerOptions): GrpcServer {
  const server = new Server({
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.keepalive_permit_without_calls': 1,
    'grpc.keepalive_time_ms': 20_000,
    'grpc.enable_channelz': 0,
  });
  allowStreamResets(server);
  const healthServer = options.healthPort === undefined ? undefined : new Server();
  const health = createHealth(healthServer ? [server, healthServer] : [server], options);
  const gathered = new Map<string, GatheredRpc>();
  for (const { contract, rpcs } of options.services) {
    const implementation: Record<string, UntypedHandleCall> = {};
    for (const [name, rpc] of Object.entries(rpcs))
      implementation[name] = adapt(contract, name, rpc, options, gathered);
    server.addService(contract.definition, implementation);
  }
  const CarryOut = serveGatheredCalls(gathered, options) as UntypedHandleCall;
  server.addService(services.gatheredCalls.definition, { CarryOut });
  const { tls } = options;
  const listeners = createListeners(server, options);
  let boundHealthPort = options.healthPort;
  return {
    get address() {
      return listeners.address;
    },
    get healthAddress() {
      return boundHealthPort === undefined ? undefined : `${listeners.host}:${boundHealthPort}`;
    },
    async start() {
      const plaintext = ServerCredentials.createInsecure();
      await listeners.start(tls?.server ?? plaintext);
      if (healthServer && options.healthPort !== undefined)
        boundHealthPort = await listen(healthServer, { host: listeners.host, port: options.healthPort }, plaintext);
      await health.start();
    },
    async stop() {
      await health.stop();
      await listeners.drain();
      healthServer?.forceShutdown();
    },
  };
}

/** Creates the gRPC server of a service from its environment. */
export const createServiceServer = (
  values: Values<typeof grpcEnvironment>,
  identity: ServiceIdentity,
  services: Registration[],
  logger: Logger,
  foundation?: Foundation,
): GrpcServer =>
  createGrpcServer({
    host: values.GRPC_HOST,
    port: values.GRPC_PORT,
    healthPort: values.GRPC_HEALTH_PORT,
    services,
    tokens: identity.verifier,
    tls: identity.tokens.tls,
    logger,
    ...(foundation && { foundation }),
  });

function adapt(
  contract: ServiceContract<unknown, unknown>,
  name: string,
  rpc: RegisteredRpc,
  options: GrpcServerOptions,
  gathered: Map<string, GatheredRpc>,
): UntypedHandleCall {
  const definition = contract.definition[name];
  if (!definition) throw new Error(`${contract.name} has no RPC ${name}.`);
  const serving = createServing(`${contract.name}/${name}`, rpc, options);

  if (definition.responseStream) {
    const handler = rpc.handler as (request: unknown, call: Call) => AsyncIterable<unknown>;
    return (stream: ServerWritableStream<unknown, unknown>) => {
      serving
        .serve(
          () => readIncomingCall(stream, options),
          (call) => sendAll(handler(stream.request, call), stream, call.signal),
        )
        .catch((error: unknown) => stream.emit('error', encodeError(error)));
    };
  }
  const handler = rpc.handler as (request: unknown, call: Call) => Promise<unknown>;
  if (definition.requestStream) {
    return (stream: ServerReadableStream<unknown, unknown>, callback: sendUnaryData<unknown>) => {
      serving
        .serve(
          () => readIncomingCall(stream, options),
          (call) => handler(stream, call),
        )
        .then(
          (response) => callback(null, response),
          (error: unknown) => callback(encodeError(error)),
        );
    };
  }
  if (contract.repeatable.includes(name)) gathered.set(definition.path, { method: definition, rpc, serving });
  return (unary: ServerUnaryCall<unknown, unknown>, callback: sendUnaryData<unknown>) => {
    serving
      .serve(
        () => readIncomingCall(unary, options),
        (call) => handler(unary.request, call),
      )
      .then(
        (response) => callback(null, response),
        (error: unknown) => callback(encodeError(error)),
      );
  };
}

/**
 * Sends messages until all are sent or the caller no longer waits. Requests the next message only after the previous
 * one was passed to the network, because gRPC's stream would buffer sixteen first, regardless of their size. Node's
 * `pipeline` would destroy the stream on an error of the messages, without notifying the caller.
 */
async function sendAll(
  messages: AsyncIterable<unknown>,
  stream: ServerWritableStream<unknown, unknown>,
  ended: AbortSignal,
): Promise<void> {
  for await (const message of messages) {
    if (ended.aborted) return;
    await sendOne(stream, message, ended);
  }
  stream.end();
}

/** Resolves when the message was passed to the network, or the caller no longer waits. */
function sendOne(stream: ServerWritableStream<unknown, unknown>, message: unknown, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      ended.removeEventListener('abort', done);
      resolve();
    };
    ended.addEventListener('abort', done, { once: true });
    stream.write(message, done);
  });
}
