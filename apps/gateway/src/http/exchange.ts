import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal, UserPrincipal } from '@saleschannel/auth';
import { forbidden } from '@saleschannel/errors';
import type { CallOptions } from '@saleschannel/grpc';
import type { Session } from '../authentication/authenticator.ts';
import type { Verdict } from '../limits/gcra.ts';
import type { Query } from './query.ts';

const noQuery: Query = {};

/** One request on its way through the checks, and what they found. Handlers read it; only the pipeline writes. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** As in the request target, percent-decoded. */
  readonly path: Readonly<Record<string, string>>;
  query: Query = noQuery;
  body: unknown = undefined;
  session: Session | undefined = undefined;
  verdict: Verdict | undefined = undefined;
  #aborted: AbortController | undefined;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    path: Readonly<Record<string, string>>,
  ) {
    this.request = request;
    this.response = response;
    this.requestId = requestId;
    this.path = path;
  }

  get principalToken(): string {
    if (!this.session) throw new Error('a public operation has no principal');
    return this.session.principalToken;
  }

  get principal(): Principal {
    if (!this.session) throw new Error('a public operation has no principal');
    return this.session.principal;
  }

  get user(): UserPrincipal {
    const { principal } = this;
    if (principal.kind !== 'user') throw forbidden();
    return principal;
  }

  /** What every call on behalf of this request carries. */
  get call(): CallOptions {
    return { principalToken: this.principalToken, requestId: this.requestId };
  }

  /** Aborts when the client goes away before the answer is complete. */
  get signal(): AbortSignal {
    if (!this.#aborted) {
      const controller = new AbortController();
      this.#aborted = controller;
      this.response.once('close', () => controller.abort());
    }
    return this.#aborted.signal;
  }
}
