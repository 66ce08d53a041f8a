import type { handleClientStreamingCall, handleServerStreamingCall, handleUnaryCall } from '@grpc/grpc-js';
import type { MethodDefinition } from '@grpc/proto-loader';
import type { Principal, UserPrincipal } from '@saleschannel/auth';
import type { ServiceContract, Services } from '@saleschannel/contracts';
import { forbidden } from '@saleschannel/errors';

/** A call as its handler sees it. */
export interface Call {
  /** The calling service. */
  readonly caller: string;
  readonly requestId: string | undefined;
  /** Network address of the public request's client. Undefined without one. */
  readonly clientAddress: string | undefined;
  /** The operator for whom the administration calls, as it states. Meaningless from other callers. */
  readonly operator: string | undefined;
  /** Undefined if the access rule needs none. */
  readonly principal: Principal | undefined;
  /** The raw token, for calls that the handler makes for the principal. */
  readonly principalToken: string | undefined;
  /** Milliseconds since the epoch. Calls made on behalf of this one end by then. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** The client's idempotency key, which `answerOnce` of libs/idempotency reads. */
  readonly idempotencyKey: string | undefined;
  /** Tells the caller that the response is that of an earlier call with the same idempotency key. */
  markReplayed(): void;
}

export interface CallOptions {
  principalToken?: string | undefined;
  requestId?: string | undefined;
  clientAddress?: string | undefined;
  /** The operator for whom the administration calls. */
  operator?: string | undefined;
  /** Time for the whole call, retries included, limited by the remaining time of `within`. */
  timeoutMs?: number;
  /** The call that this one is made for, which provides the request id, client address, deadline and cancellation. */
  within?: Call;
  /**
   * Also passes on the principal and the idempotency key of `within`, for an RPC that requires a principal. Libs/auth
   * must list the called service as a receiver of the operation, or it refuses the token.
   */
  forPrincipal?: true;
  signal?: AbortSignal;
  /** The client's idempotency key. */
  idempotencyKey?: string | undefined;
  /** Called when the response is that of an earlier call with the same idempotency key. */
  onReplayed?: (() => void) | undefined;
  /** Owner for fair queueing among callers, such as a sales channel. Default: the client address. */
  owner?: string | undefined;
}

/** Name of a gRPC service in `services`. */
export type ServiceKey = keyof Services & string;

/** The RPCs of a gRPC service, as the contract types them. */
export type HandlersOf<K extends ServiceKey> =
  Services[K] extends ServiceContract<infer H, infer _Definition> ? H : never;

/** Names of the contract's RPCs, without the index signature of the generated interfaces, which accepts any name. */
export type RpcName<Handlers> = keyof {
  [K in keyof Handlers as string extends K ? never : number extends K ? never : K]: true;
} &
  string;

/** Handler of one RPC on the server. */
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
 * Type of the export of a file in `src/rpc`: a function from the service's context to the handler of one RPC, with all
 * types from the contract.
 */
export type Rpc<Path extends RpcPath, Context> = (context: Context) => HandlerAt<Path>;

/** Request that a handler receives. For a client stream, one of its messages. */
export type RequestOf<Path extends RpcPath> =
  Parameters<HandlerAt<Path>>[0] extends AsyncIterable<infer Message> ? Message : Parameters<HandlerAt<Path>>[0];

/** Response that a handler returns. For a server stream, one of its messages. */
export type ResponseOf<Path extends RpcPath> =
  ReturnType<HandlerAt<Path>> extends AsyncIterable<infer Message> ? Message : Awaited<ReturnType<HandlerAt<Path>>>;

/** Client of a gRPC service, with one method per RPC that returns a promise or an async iterable. */
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

/** Client of a gRPC service by its key, such as `ServiceClient<'tasks'>`. */
export type ServiceClient<K extends ServiceKey> =
  Services[K] extends ServiceContract<infer H, infer D> ? Client<H, D> : never;

/** Response that a caller receives. For a server stream, one of its messages. */
export type ReplyOf<Path extends RpcPath> = Path extends `${infer K extends ServiceKey}.${infer Name}`
  ? Name extends keyof ServiceClient<K>
    ? ServiceClient<K>[Name] extends (...args: never[]) => infer Reply
      ? Reply extends AsyncIterable<infer Message>
        ? Message
        : Awaited<Reply>
      : never
    : never
  : never;

/** Request that a caller sends. For a client stream, one of its messages. */
export type SentTo<Path extends RpcPath> = Path extends `${infer K extends ServiceKey}.${infer Name}`
  ? Name extends keyof ServiceClient<K>
    ? ServiceClient<K>[Name] extends (request: infer Request, ...rest: never[]) => unknown
      ? Request extends AsyncIterable<infer Message>
        ? Message
        : Request
      : never
    : never
  : never;

/** Returns the user of a call whose access rule requires one. */
export function userOf(call: Call): UserPrincipal {
  if (call.principal?.kind !== 'user') throw forbidden();
  return call.principal;
}

/**
 * Returns the sales channel of the calling user. Every query for that user is limited to it.
 * @throws DomainError 'forbidden' for a user without a binding
 */
export function salesChannelOf(call: Call): string {
  const { salesChannelId } = userOf(call);
  if (salesChannelId === undefined) throw forbidden();
  return salesChannelId;
}

/**
 * Returns the account holder of the calling user.
 * @throws DomainError 'forbidden' for a user without an account holder
 */
export function accountHolderOf(call: Call): string {
  const { accountHolderId } = userOf(call);
  if (accountHolderId === undefined) throw forbidden();
  return accountHolderId;
}

/** Returns the owner of a lookup, for fair queueing, and its remaining time. */
export const lookUpOwnerOf = (call: Call): { owner: string; timeoutMs: number } => ({
  owner: call.principal ? readerOf(call) : (call.clientAddress ?? call.caller),
  timeoutMs: call.deadline - Date.now(),
});

/**
 * Returns the owner of reads, for fair queueing: the sales channel of a user, or the account holder of a registry key.
 * A user without a sales channel is an owner of its own. Operators have no principal, and share one owner.
 */
export function readerOf({ principal, caller }: Call): string {
  if (principal === undefined && caller === 'admin') return 'operator';
  if (principal === undefined) throw forbidden();
  if (principal.kind === 'registry') return `registry/${principal.accountHolderId}`;
  return principal.salesChannelId === undefined ? `user/${principal.userId}` : `channel/${principal.salesChannelId}`;
}
