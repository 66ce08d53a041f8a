import {
  Server,
  ServerCredentials,
  type sendUnaryData,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type UntypedHandleCall,
} from '@grpc/grpc-js';
import { requireAccess, type AccessRule, type KeyHolder, type TokenVerifier } from '@saleschannel/auth';
import { services, type ServiceContract } from '@saleschannel/contracts';
import { DomainError, forbidden } from '@saleschannel/errors';
import { durationHistogram, withSpan, type Logger, type Part, type Values } from '@saleschannel/runtime';
import type { grpcEnvironment, ServiceIdentity } from './environment.ts';
import { createHealth } from './health-status.ts';
import { drain, listen } from './listening.ts';
import { metadataKeys } from './metadata.ts';
import { encodeError } from './problems.ts';
import { namesIn } from './tls-names.ts';
import type { Tls } from './tls.ts';
import type { Call, Handler, HandlersOf, RpcName, ServiceKey } from './types.ts';

/** One RPC: which programs may call it, on whose behalf, and what serves it. */
export interface RpcDefinition<H, Context> {
  readonly callers: readonly KeyHolder[];
  readonly access: AccessRule;
  readonly handler: (context: Context) => Handler<H>;
}

/** Every RPC of a service with its definition. */
export type RpcDefinitions<K extends ServiceKey, Context> = {
  readonly [Name in RpcName<HandlersOf<K>>]: RpcDefinition<HandlersOf<K>[Name & keyof HandlersOf<K>], Context>;
};

interface RegisteredRpc {
  readonly callers: readonly string[];
  readonly access: AccessRule;
  readonly handler: unknown;
}

/** A service of the contract with what serves it. */
export interface Registration {
  readonly contract: ServiceContract<unknown, unknown>;
  readonly rpcs: Readonly<Record<string, RegisteredRpc>>;
}

/**
 * Ties the implementation of every RPC of a service to its contract. An RPC that is missing does not compile.
 * @throws Error when the protos have an RPC that the generated types do not know
 */
export function implement<K extends ServiceKey, Context>(
  key: K,
  context: Context,
  definitions: RpcDefinitions<K, Context>,
): Registration {
  const contract: ServiceContract<unknown, unknown> = services[key];
  const given = Object.entries<RpcDefinition<unknown, Context>>(definitions);
  const rpcs = Object.fromEntries(given.map(([name, rpc]) => [name, { ...rpc, handler: rpc.handler(context) }]));
  for (const name of Object.keys(contract.definition)) {
    if (!Object.hasOwn(rpcs, name))
      throw new Error(`${contract.name}.${name} has no implementation and no access rule`);
  }
  return { contract, rpcs };
}

/** What a service stands on, its database for instance: without it calls cannot be served. */
export interface Foundation {
  /** Whether calls can be served now. Never throws. */
  isUsable(): Promise<boolean>;
  /** An error that means "not now" as 'unavailable'. All others as they are. */
  asDomainError(error: unknown): unknown;
}

export interface GrpcServerOptions {
  host: string;
  /** 0 takes a free port. */
  port: number;
  services: Registration[];
  tokens: TokenVerifier;
  logger: Logger;
  foundation?: Foundation;
  /** Time between two looks at the foundation. */
  healthIntervalMs?: number;
  /** Undefined: plaintext. */
  tls?: Tls | undefined;
  /**
   * Where health is told to anyone, in plaintext, and nothing else is: whoever asks on behalf of an orchestrator has no
   * certificate. Undefined: nowhere.
   */
  healthPort?: number | undefined;
}

export interface GrpcServer extends Part {
  /** `host:port`, known once started. */
  readonly address: string;
  /** Where health is told in plaintext, known once started. Undefined where it is not. */
  readonly healthAddress: string | undefined;
}

/** Calls without a deadline get this one. */
const DEFAULT_DEADLINE_MS = 30_000;
/** Large enough for a batch of 1,000 selections, small enough to bound memory. */
const MESSAGE_BYTES_AT_MOST = 8 * 1024 * 1024;

interface Incoming extends Pick<
  ServerUnaryCall<unknown, unknown>,
  'metadata' | 'getDeadline' | 'cancelled' | 'getAuthContext'
> {
  on(event: 'cancelled', listener: () => void): unknown;
}

/** The gRPC server of a service, with health checks, the check of every call's tokens, errors, traces and metrics. */
export function createGrpcServer(options: GrpcServerOptions): GrpcServer {
  const server = new Server({
    'grpc.max_receive_message_length': MESSAGE_BYTES_AT_MOST,
    'grpc.keepalive_permit_without_calls': 1,
    'grpc.keepalive_time_ms': 20_000,
  });
  const healthServer = options.healthPort === undefined ? undefined : new Server();
  const health = createHealth(healthServer ? [server, healthServer] : [server], options);
  for (const { contract, rpcs } of options.services) {
    const implementation: Record<string, UntypedHandleCall> = {};
    for (const [name, rpc] of Object.entries(rpcs)) implementation[name] = adapt(contract, name, rpc, options);
    server.addService(contract.definition, implementation);
  }
  const { host, tls } = options;
  let boundPort = options.port;
  let boundHealthPort = options.healthPort;
  return {
    get address() {
      return `${host}:${boundPort}`;
    },
    get healthAddress() {
      return boundHealthPort === undefined ? undefined : `${host}:${boundHealthPort}`;
    },
    async start() {
      const plaintext = ServerCredentials.createInsecure();
      boundPort = await listen(server, { host, port: options.port }, tls?.server ?? plaintext);
      if (healthServer && options.healthPort !== undefined)
        boundHealthPort = await listen(healthServer, { host, port: options.healthPort }, plaintext);
      await health.start();
    },
    async stop() {
      await health.stop();
      await drain(server);
      healthServer?.forceShutdown();
    },
  };
}

/** The gRPC server of a service, where its environment says. */
export const createServiceServer = (
  values: Values<typeof grpcEnvironment>,
  identity: ServiceIdentity,
  services: Registration[],
  logger: Logger,
  foundation: Foundation,
): GrpcServer =>
  createGrpcServer({
    host: values.GRPC_HOST,
    port: values.GRPC_PORT,
    healthPort: values.GRPC_HEALTH_PORT,
    services,
    tokens: identity.verifier,
    tls: identity.tokens.tls,
    logger,
    foundation,
  });

function adapt(
  contract: ServiceContract<unknown, unknown>,
  name: string,
  rpc: RegisteredRpc,
  options: GrpcServerOptions,
): UntypedHandleCall {
  const definition = contract.definition[name];
  if (!definition) throw new Error(`${contract.name} has no RPC ${name}`);
  const fullName = `${contract.name}/${name}`;
  const durations = durationHistogram('rpc_server_duration', 'Time to serve an RPC');

  /** Opens the call, runs `work`, and reports how it went. Throws what the client shall get. */
  async function serve<T>(incoming: Incoming, work: (call: Call) => Promise<T>): Promise<T> {
    const started = performance.now();
    let outcome = 'ok';
    try {
      const call = await openCall(incoming, rpc, options);
      const parent = incoming.metadata.get(metadataKeys.traceparent)[0]?.toString();
      return await withSpan(fullName, { kind: 'server', parent, attributes: { 'rpc.system': 'grpc' } }, () =>
        work(call),
      );
    } catch (thrown) {
      const error = options.foundation?.asDomainError(thrown) ?? thrown;
      outcome = error instanceof DomainError ? error.code : 'internal';
      if (outcome === 'internal') options.logger.error({ err: error, rpc: fullName }, `${fullName} failed`);
      throw error;
    } finally {
      durations.record((performance.now() - started) / 1000, { rpc: fullName, outcome });
    }
  }

  if (definition.responseStream) {
    const handler = rpc.handler as (request: unknown, call: Call) => AsyncIterable<unknown>;
    return (stream: ServerWritableStream<unknown, unknown>) => {
      serve(stream, (call) => sendAll(handler(stream.request, call), stream, call.signal)).catch((error: unknown) =>
        stream.emit('error', encodeError(error)),
      );
    };
  }
  const handler = rpc.handler as (request: unknown, call: Call) => Promise<unknown>;
  if (definition.requestStream) {
    return (stream: ServerReadableStream<unknown, unknown>, callback: sendUnaryData<unknown>) => {
      serve(stream, (call) => handler(stream, call)).then(
        (response) => callback(null, response),
        (error: unknown) => callback(encodeError(error)),
      );
    };
  }
  return (unary: ServerUnaryCall<unknown, unknown>, callback: sendUnaryData<unknown>) => {
    serve(unary, (call) => handler(unary.request, call)).then(
      (response) => callback(null, response),
      (error: unknown) => callback(encodeError(error)),
    );
  };
}

/**
 * Sends until everything is sent or nobody waits for it any more. The next message is asked for once this one has left
 * for the network: gRPC's stream would collect sixteen of them first, whatever their size. Node's `pipeline` would
 * destroy the stream when the messages end in an error, and the caller would never hear of it.
 */
async function sendAll(
  messages: AsyncIterable<unknown>,
  stream: ServerWritableStream<unknown, unknown>,
  ended: AbortSignal,
): Promise<void> {
  for await (const message of messages) {
    if (ended.aborted) return;
    await sent(stream, message, ended);
  }
  stream.end();
}

/** Resolves when the message is on its way, or nobody waits for it any more. */
function sent(stream: ServerWritableStream<unknown, unknown>, message: unknown, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      ended.removeEventListener('abort', done);
      resolve();
    };
    ended.addEventListener('abort', done, { once: true });
    stream.write(message, done);
  });
}

/** A token that was stolen is worth nothing without the certificate of the program that it was made for. */
function assertOwnToken(incoming: Incoming, caller: string): void {
  const certificate = incoming.getAuthContext().sslPeerCertificate;
  if (!certificate || !namesIn(certificate).has(caller))
    throw new DomainError('unauthenticated', 'The internal token is not that of the TLS certificate.');
}

async function openCall(
  incoming: Incoming,
  rpc: RegisteredRpc,
  { tokens, tls }: Pick<GrpcServerOptions, 'tokens' | 'tls'>,
): Promise<Call> {
  const text = (key: string): string | undefined => incoming.metadata.get(key)[0]?.toString();
  const caller = await tokens.service(text(metadataKeys.serviceToken));
  if (tls) assertOwnToken(incoming, caller);
  if (!rpc.callers.includes(caller)) throw forbidden();
  const principalToken = text(metadataKeys.principalToken);
  const principal = rpc.access.principal === 'none' ? undefined : await tokens.principal(principalToken);
  if (principal) requireAccess(rpc.access, principal);
  // Made when a handler asks for it. Most never do, and the end of every call would abort it.
  let ended: AbortController | undefined;
  incoming.on('cancelled', () => ended?.abort());
  const deadline = Number(incoming.getDeadline());
  return {
    caller,
    principal,
    principalToken,
    requestId: text(metadataKeys.requestId),
    clientAddress: text(metadataKeys.clientAddress),
    deadline: Number.isFinite(deadline) ? deadline : Date.now() + DEFAULT_DEADLINE_MS,
    get signal() {
      ended ??= new AbortController();
      if (incoming.cancelled) ended.abort();
      return ended.signal;
    },
  };
}
