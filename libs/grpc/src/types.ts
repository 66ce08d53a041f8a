import type { handleClientStreamingCall, handleServerStreamingCall, handleUnaryCall } from '@grpc/grpc-js';
import type { MethodDefinition } from '@grpc/proto-loader';
import type { Principal } from '@saleschannel/auth';
import type { ServiceContract, Services } from '@saleschannel/contracts';

/** What a handler knows of the call that it serves. */
export interface Call {
  /** The calling service. */
  readonly caller: string;
  readonly requestId: string | undefined;
  /** Network address of the client of the public request. Undefined when there is none. */
  readonly clientAddress: string | undefined;
  /** The person on whose behalf the administration calls, as it names them. Of other callers it is worth nothing. */
  readonly operator: string | undefined;
  /** Undefined where the access rule needs none. */
  readonly principal: Principal | undefined;
  /** The raw token, to be passed on with calls that the handler makes for the principal. */
  readonly principalToken: string | undefined;
  /** Milliseconds since the epoch. Calls made on behalf of this one end by then. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** The key under which the client may repeat its request: `answerOnce` of libs/idempotency reads it. */
  readonly idempotencyKey: string | undefined;
  /** Tells the caller that the reply is the answer of an earlier call with the same idempotency key. */
  markReplayed(): void;
}

export interface CallOptions {
  principalToken?: string | undefined;
  requestId?: string | undefined;
  clientAddress?: string | undefined;
  /** The person on whose behalf the administration calls. */
  operator?: string | undefined;
  /** Time for the whole call, retries included. Never more than what is left of `within`. */
  timeoutMs?: number;
  /** The call that this one is made for: its request id, client address, deadline and end are taken over. */
  within?: Call;
  /**
   * Also passes on the principal and the idempotency key of `within`, where the called RPC asks for a principal. The
   * operation's receivers in libs/auth must name the called service, or it does not take the token.
   */
  forPrincipal?: true;
  signal?: AbortSignal;
  /** The key under which the client may repeat its request. */
  idempotencyKey?: string | undefined;
  /** Runs when the reply is the answer of an earlier call with the same idempotency key. */
  onReplayed?: (() => void) | undefined;
  /** Whose call it is where many callers share what there is, such as a sales channel. Default: the client address. */
  owner?: string | undefined;
}

/** The name of a gRPC service in `services`. */
export type ServiceKey = keyof Services & string;

/** The RPCs of a gRPC service, as the contract types them. */
export type HandlersOf<K extends ServiceKey> =
  Services[K] extends ServiceContract<infer H, infer _Definition> ? H : never;

/**
 * The RPCs that the contract names, without the index signature that the generated interfaces inherit: with it, any
 * name would do and nothing would be checked.
 */
export type RpcName<Handlers> = keyof {
  [K in keyof Handlers as string extends K ? never : number extends K ? never : K]: true;
} &
  string;

/** Server side: what implements one RPC. */
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
 * What a file of `src/rpc` exports: from the service's context to the handler of one RPC, all types taken from the
 * contract.
 */
export type Rpc<Path extends RpcPath, Context> = (context: Context) => HandlerAt<Path>;

/** What arrives with a call of an RPC. Of a client stream, one message. */
export type RequestOf<Path extends RpcPath> =
  Parameters<HandlerAt<Path>>[0] extends AsyncIterable<infer Message> ? Message : Parameters<HandlerAt<Path>>[0];

/** What an RPC returns. Of a server stream, one message. */
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

/** What a caller receives from an RPC. Of a server stream, one message. */
export type ReplyOf<Path extends RpcPath> = Path extends `${infer K extends ServiceKey}.${infer Name}`
  ? Name extends keyof ServiceClient<K>
    ? ServiceClient<K>[Name] extends (...args: never[]) => infer Reply
      ? Reply extends AsyncIterable<infer Message>
        ? Message
        : Awaited<Reply>
      : never
    : never
  : never;

/** What a caller sends to an RPC. Of a client stream, one message. */
export type SentTo<Path extends RpcPath> = Path extends `${infer K extends ServiceKey}.${infer Name}`
  ? Name extends keyof ServiceClient<K>
    ? ServiceClient<K>[Name] extends (request: infer Request, ...rest: never[]) => unknown
      ? Request extends AsyncIterable<infer Message>
        ? Message
        : Request
      : never
    : never
  : never;
