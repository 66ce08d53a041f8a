import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { runCommandLine } from '../../src/command-line.ts';

export interface Service {
  readonly url: string;
  /** Method, path and credentials of each request. */
  readonly requests: { readonly what: string; readonly authorization: string | undefined }[];
  stop(): Promise<void>;
}

/** A response that depends on the request. */
export type Respond = (request: { readonly url: URL; readonly body: string; readonly key: unknown }) => {
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>>;
};

/** Responds like the service. @param answers by method and path, without the query */
export async function startService(answers: Readonly<Record<string, unknown>>): Promise<Service> {
  const requests: Service['requests'] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const what = `${request.method} ${url.pathname}`;
    const answer = answers[what];
    const respond = async (): Promise<ReturnType<Respond>> => {
      let body = '';
      for await (const piece of request.setEncoding('utf8')) body += piece as string;
      requests.push({ what, authorization: request.headers.authorization });
      const problem = { type: '/problems/not-found', title: 'Not found', status: 404, detail: 'No such thing.' };
      if (answer === undefined) return { status: 404, body: problem };
      return typeof answer === 'function'
        ? (answer as Respond)({ url, body, key: request.headers['idempotency-key'] })
        : { body: answer };
    };
    void respond().then(({ status = 200, body, headers }) => {
      response.writeHead(status, { 'Content-Type': 'application/json', 'X-Request-Id': 'r-17', ...headers });
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A stream that collects its output. */
class CollectingStream {
  readonly isTTY: boolean;
  text = '';
  /** Called after each write. */
  onText: () => void = () => undefined;

  constructor(isTTY: boolean) {
    this.isTTY = isTTY;
  }

  write = (text: string): void => {
    this.text += text;
    this.onText();
  };
}

export interface Outcome {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

interface RunOptions {
  /** Answers typed at a terminal, one per question. */
  readonly typed?: readonly string[];
  /** Input from a pipe. */
  readonly piped?: string;
  readonly environment?: Record<string, string>;
  /** Aborted like Ctrl+C. */
  readonly signal?: AbortSignal;
  /** Stands in for the browser. */
  readonly openBrowser?: (url: string) => void;
}

/** How questions of scs end. */
const QUESTION = /(?: id|shown\)|N\]):? /g;

/** A user account with scs. */
export class TestUser {
  readonly home = mkdtempSync(join(tmpdir(), 'scs-person-'));

  async run(words: readonly string[], options: RunOptions = {}): Promise<Outcome> {
    const { typed, piped, environment = {}, signal = new AbortController().signal } = options;
    const isTerminal = typed !== undefined;
    const [output, errors] = [new CollectingStream(isTerminal), new CollectingStream(isTerminal)];
    const input = Object.assign(new PassThrough(), { isTTY: isTerminal });
    // Types the next answer after each question.
    let answerCount = 0;
    errors.onText = () => {
      const questions = errors.text.match(QUESTION)?.length ?? 0;
      const answer = typed?.[answerCount];
      if (questions <= answerCount || answer === undefined) return;
      answerCount += 1;
      setImmediate(() => input.write(`${answer}\n`));
    };
    if (!isTerminal) input.end(piped);
    const code = await runCommandLine(words, {
      environment: { XDG_CONFIG_HOME: this.home, ...environment },
      input,
      output,
      errors,
      signal,
      openBrowser: options.openBrowser ?? (() => undefined),
    });
    return { code, output: output.text, errors: errors.text };
  }

  remove(): void {
    rmSync(this.home, { recursive: true });
  }
}
