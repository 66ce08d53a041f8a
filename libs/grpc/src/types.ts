import type { handleClientStreamingCall, handleServerStreamingCall, handleUnaryCall } from '@grpc/grpc-js';
import type { MethodDefinition } from '@grpc/proto-loader';
import type { Principal } from '@saleschannel/auth';
import type { ServiceContract } from '@saleschannel/contracts';

/** What a handler knows of the call that it serves. */
export interface Call {
  /** The calling service. */
  readonly caller: string;
  readonly requestId: string;
  /** Undefined where the access rule needs none. */
  readonly principal: Principal | undefined;
  /** The raw token, to be passed on with calls that the handler makes. */
  readonly principalToken: string | undefined;
  /** Milliseconds since the epoch; calls made on behalf of this one end by then. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

export interface CallOptions {
  principalToken?: string | undefined;
  requestId?: string | undefined;
  /** Time for the whole call, retries included; never more than what is left of `within`. */
  timeoutMs?: number;
  /** The call that this one is made for: its principal, request id, deadline and end are taken over. */
  within?: Call;
  signal?: AbortSignal;
}

type Handlers = object;

/** Server side: what implements each RPC. */
export type Handler<H> =
  H extends handleUnaryCall<infer Request, infer Response>
    ? (request: Request, call: Call) => Promise<Response>
    : H extends handleServerStreamingCall<infer Request, infer Response>
      ? (request: Request, call: Call) => AsyncIterable<Response>
      : H extends handleClientStreamingCall<infer Request, infer Response>
        ? (requests: AsyncIterable<Request>, call: Call) => Promise<Response>
        : never;

/** The RPCs that the contract names, without the index signature that the generated interfaces inherit: with it, any name would do and nothing be checked. */
type Rpc<Handlers> = keyof { [K in keyof Handlers as string extends K ? never : number extends K ? never : K]: true } &
  string;

/** Client side: one promise or async iterable per RPC. */
export type Client<H extends Handlers, D> = {
  readonly [K in Rpc<H> & keyof D]: D[K] extends MethodDefinition<
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

export type RpcName<H> = Rpc<H>;

/** The client of a contract: `ServiceClient<typeof services.tasks>`. */
export type ServiceClient<C> = C extends ServiceContract<infer H, infer D> ? Client<H & object, D> : never;
