import type { IncomingHttpHeaders } from 'node:http';
import type { Agent, Dispatcher } from 'undici';

/** Bytes read of a response. The rest is not awaited. */
const MAX_READ_BYTES = 65_536;

export interface Response {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  /** First bytes of the body. */
  readonly beginning: Buffer;
}

/** Parsed URL of a receiver. */
export interface Target {
  readonly origin: string;
  readonly path: string;
}

/**
 * A POST request that can be aborted at any time, and sent twice. At thousands per second, the stream per response and
 * the signal per deadline of undici's `request` would double its cost.
 */
export class PostRequest {
  readonly #agent: Agent;
  readonly #options: Agent.DispatchOptions;
  #controller: Dispatcher.DispatchController | undefined;
  #reject: ((reason: Error) => void) | undefined;
  #reason: Error | undefined;

  /** @param headers sent unchanged */
  constructor(agent: Agent, { origin, path }: Target, headers: Readonly<Record<string, string>>, body: string) {
    this.#agent = agent;
    this.#options = { origin, path, method: 'POST', headers, body };
  }

  /** Reason of `end`. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  /** Aborts the request and prevents another send. */
  end(reason: Error): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#reject?.(reason);
  }

  /** @throws the reason passed to `end`, or undici's error */
  send(keptBytes: number): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.#controller = undefined;
      this.#reject = reject;
      if (this.#reason) return reject(this.#reason);
      this.#agent.dispatch(this.#options, this.#handler(keptBytes, resolve, reject));
    });
  }

  #handler(
    keptBytes: number,
    resolve: (response: Response) => void,
    reject: (error: Error) => void,
  ): Dispatcher.DispatchHandler {
    const kept: Buffer[] = [];
    let bytes = 0;
    let head: Pick<Response, 'statusCode' | 'headers'> | undefined;
    const done = (): void => {
      if (head) resolve({ ...head, beginning: Buffer.concat(kept) });
    };
    return {
      onRequestStart: (controller) => {
        this.#controller = controller;
        if (this.#reason) controller.abort(this.#reason);
      },
      onResponseStart: (_controller, statusCode, headers) => {
        // Informational responses come first (RFC 9110 section 15.2).
        if (statusCode >= 200) head = { statusCode, headers };
      },
      onResponseData: (controller, chunk) => {
        if (bytes < keptBytes) kept.push(Buffer.from(chunk.subarray(0, keptBytes - bytes)));
        bytes += chunk.length;
        if (bytes <= MAX_READ_BYTES) return;
        done();
        controller.abort(new Error('Enough of the response was read.'));
      },
      onResponseEnd: done,
      onResponseError: (_controller, error) => reject(error),
    };
  }
}
