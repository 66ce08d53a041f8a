import type { IncomingHttpHeaders } from 'node:http';
import type { Agent, Dispatcher } from 'undici';

/** Of an answer. What is beyond is not waited for. */
const READ_BYTES_AT_MOST = 65_536;

/** What came back: the head, and the first bytes of the body. */
export interface Response {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly beginning: Buffer;
}

/** Where a request goes, taken apart. */
export interface Target {
  readonly origin: string;
  readonly path: string;
}

/**
 * A POST request that can be ended at any time, and sent a second time. There are thousands of them per second, and a
 * stream for each answer and a signal for each deadline, as undici's `request` has them, would cost as much again.
 */
export class PostRequest {
  readonly #agent: Agent;
  readonly #options: Agent.DispatchOptions;
  #controller: Dispatcher.DispatchController | undefined;
  #reject: ((reason: Error) => void) | undefined;
  #reason: Error | undefined;

  /** @param headers go out as they are */
  constructor(agent: Agent, { origin, path }: Target, headers: Readonly<Record<string, string>>, body: string) {
    this.#agent = agent;
    this.#options = { origin, path, method: 'POST', headers, body };
  }

  /** Why it was ended. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  /** Whatever is under way ends now, and nothing more is sent. */
  end(reason: Error): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#reject?.(reason);
  }

  /** @throws the reason of its end, or what undici says of the connection */
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
        // Informational ones come before the answer (RFC 9110 section 15.2).
        if (statusCode >= 200) head = { statusCode, headers };
      },
      onResponseData: (controller, chunk) => {
        if (bytes < keptBytes) kept.push(Buffer.from(chunk.subarray(0, keptBytes - bytes)));
        bytes += chunk.length;
        if (bytes <= READ_BYTES_AT_MOST) return;
        done();
        controller.abort(new Error('enough of the answer was read'));
      },
      onResponseEnd: done,
      onResponseError: (_controller, error) => reject(error),
    };
  }
}
