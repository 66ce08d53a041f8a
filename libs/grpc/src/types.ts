import type { handleClientStreamingCall, handleServerStreamingCall, handleUnaryCall } from '@grpc/grpc-js';
import type { MethodDefinition } from '@grpc/proto-loader';
import type { Principal } from '@saleschannel/auth';
import type { ServiceContract, Services } from '@saleschannel/contracts';

/** A call, for its handler. */
export interface Call {
  /** The calling service. */
  readonly caller: string;
  readonly requestId: string | undefined;
  /** Network address of the public request's client. Undefined without one. */
  readonly clientAddress: string | undefined;
  /** The person for whom the administration calls, by its own account. Meaningless from other callers. */
  readonly operator: string | undefined;
  /** Undefined if the access rule needs none. */
  readonly principal: Principal | undefined;
  /** The raw token, for calls that the handler makes for the principal. */
  readonly principalToken: string | undefined;
  /** Milliseconds since the epoch. Calls made on behalf of this one end by then. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** The key under which the client may repeat its request: `answerOnce` of libs/idempotency reads it. */
  readonly idempotencyKey: string | undefined;
  /** Tells the caller that the response is that of an earlier call with the same idempotency key. */
  markReplayed(): void;
}

export interface CallOptions {
  principalToken?: string | undefined;
  requestId?: string | undefined;
  clientAddress?: string | undefined;
  /** The person for whom the administration calls. */
  operator?: string | undefined;
  /** Time for the whole call, retries included, limited by the remaining time of `within`. */
  timeoutMs?: number;
  /** The call that this one is made for, which provides the request id, client address, deadline and cancellation. */
  within?: Call;
  /**
   * Also passes on the principal and the idempotency key of `within`, for an RPC that requires a principal. The
   * operation's receivers in libs/auth must name the called service, or it refuses the token.
   */
  forPrincipal?: true;
  signal?: AbortSignal;
  /** The key under which the client may repeat its request. */
  idempotencyKey?: string | undefined;
  /** Called when the response is that of an earlier call with the same idempotency key. */
  onReplayed?: (() => void) | undefined;
  /** Owner for fair queueing among callers, such as a sales channel. Default: the client address. */
  owner?: string | undefined;
}

/** The name of a gRPC service in `services`. */
export type ServiceKey = keyof Services & string;

/** The RPCs of a gRPC service, as the contract types them. */
export type HandlersOf<K extends ServiceKey> =
  Services[K] extends ServiceContract<infer H, infer _Definition> ? H : never;

/**
 * Names of the contract's RPCs, without the index signature that the generated interfaces inherit, which would accept
 * any name.
 */
export type RpcName<Handlers> = keyof {
  [K in keyof Handlers as string extends K ? never : number extends K ? never : K]: true;
} &
  string;

/** Server side: handler of one RPC. */
export type Handler<H> =
  H extends handleUnaryCall<infer Request, infer Response>
    ? (request: Request, call: Call) => Promise<Response>
    : H extends handleServerStreamingCall<infer Request, infer Response>
      ? (request: Request, call: Call) => AsyncIterable<Response>
      : H extends handleClientStreamingCall<infer Request, infer Response>
        ? (requests: AsyncIterable<Request>, call: Call) => Promise<Response>
        : never;

/** Every RPC of the system by its path, such as `traders.GetTrader`. */
export type RpcPath = { [K in ServiceKey]: `${K}.${RpcName<HandlersOf<K>>}` }[ServiceKey];

type HandlerAt<Path extends RpcPath> = Path extends `${infer K extends ServiceKey}.${infer Name}`
  ? Handler<HandlersOf<K>[Name & keyof HandlersOf<K>]>
  : never;

/**
 * Export of a file in `src/rpc`: from the service's context to the handler of one RPC, with all types from the
 * contract.
 */
export type Rpc<Path extends RpcPath, Context> = (context: Context) => HandlerAt<Path>;

/** Received by a handler. For a client stream, one message. */
export type RequestOf<Path extends RpcPath> =
  Parameters<HandlerAt<Path>>[0] extends AsyncIterable<infer Message> ? Message : Parameters<HandlerAt<Path>>[0];

/** Returned by a handler. For a server stream, one message. */
export type ResponseOf<Path extends RpcPath> =
  ReturnType<HandlerAt<Path>> extends AsyncIterable<infer Message> ? Message : Awaited<ReturnType<HandlerAt<Path>>>;

/** Client side: one promise or async iterable per RPC. */
export type Client<H, D> = {
  readonly [K in RpcName<H> & keyof D]: D[K] extends MethodDefinition<
    infer Request,
    infer _Reply,
    infer _Received,
    infer Response
  >
    ? H[K & keyof H] extends handleUnaryCall<infer _Received, infer _Reply>
      ? (request: Request, options?: CallOptions) => Promise<Response>
      : H[K & keyof H] extends handleServerStreamingCall<infer _Received, infer _Reply>
        ? (request: Request, options?: CallOptions) => AsyncIterable<Response>
        : (requests: AsyncIterable<Request>, options?: CallOptions) => Promise<Response>
    : never;
} & { close(): void };

/** The client of a service: `ServiceClient<'tasks'>`. */
export type ServiceClient<K extends ServiceKey> =
  Services[K] extends ServiceContract<infer H, infer D> ? Client<H, D> : never;

/** Received by a caller. For a server stream, one message. */
export type ReplyOf<Path extends RpcPath> = Path extends `${infer K extends ServiceKey}.${infer Name}`
  ? Name extends keyof ServiceClient<K>
    ? ServiceClient<K>[Name] extends (...args: never[]) => infer Reply
      ? Reply extends AsyncIterable<infer Message>
        ? Message
        : Awaited<Reply>
      : never
    : never
  : never;

/** Sent by a caller. For a client stream, one message. */
export type SentTo<Path extends RpcPath> = Path extends `${infer K extends ServiceKey}.${infer Name}`
  ? Name extends keyof ServiceClient<K>
    ? ServiceClient<K>[Name] extends (request: infer Request, ...rest: never[]) => unknown
      ? Request extends AsyncIterable<infer Message>
        ? Message
        : Request
      : never
    : never
  : never;
