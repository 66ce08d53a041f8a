import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Demo } from '../../src/demo.ts';
import { Ledger, operations, Refusal } from './ledger.ts';

interface Request {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

interface Import {
  readonly importId: string;
  readonly total: number;
  readonly errors: { line: number; code: string; detail: string }[];
  polls: number;
}

/** Polls until an import ends. */
const ANSWERS_UNTIL_COMPLETED = 3;
const IMPORT_PATH = /^\/Registry\/api\/imports\/([^/]+)(\/errors)?$/;
const INVENTORY_PATH =
  /^\/saleschannel-services\/v1\/traders\/([^/]+)\/inventory(?:\/(trade|retire|offramp))?(?:\/([^/]+))?$/;

const keys = {
  user: { id: 'user-key', secret: 'user-secret' },
  registry: { id: 'registry-key', secret: 'registry-secret' },
};

const problem = (status: number, type: string, detail: string): Reply => ({
  status,
  body: { type: `/problems/${type}`, title: type, status, detail },
});

const ok = (body: unknown): Reply => ({ status: 200, body });

const basic = ({ id, secret }: (typeof keys)['user']): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

/** The public HTTP APIs over an in-memory ledger. */
class PublicApi {
  /** Roles of the user on the channel. */
  roles = ['ASSET_VIEWER', 'ASSET_OFFRAMPER', 'TRANSACTION_ADMINISTRATOR'];
  readonly #ledger: Ledger;
  readonly #imports = new Map<string, Import>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  answer(request: Request): Reply {
    const isRegistry = request.url.pathname.startsWith('/Registry/');
    const key = isRegistry ? keys.registry : keys.user;
    if (request.headers.authorization !== basic(key)) return problem(401, 'unauthenticated', 'Wrong credentials.');
    try {
      return isRegistry ? this.#registry(request) : this.#channel(request);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return problem(400, error.type, error.message);
    }
  }

  #registry({ method, url, body }: Request): Reply {
    if (method === 'POST' && url.pathname === '/Registry/api/imports') return this.#startImport(body);
    const [, importId = 'none', errorsPath] = IMPORT_PATH.exec(url.pathname) ?? [];
    const running = this.#imports.get(importId);
    if (!running) return problem(404, 'not-found', 'No such import.');
    if (!errorsPath) {
      running.polls++;
      return ok(importBody(running));
    }
    const offset = Number(url.searchParams.get('offset'));
    const limit = Number(url.searchParams.get('limit'));
    const { errors } = running;
    return ok({ pagination: { total: errors.length, offset, limit }, data: errors.slice(offset, offset + limit) });
  }

  #startImport(body: string): Reply {
    const lines = body.split('\n').filter((line) => line !== '');
    const errors = lines.flatMap((line, index) => {
      const failure = this.#ledger.certificates.importLine(line);
      return failure ? [{ line: index + 1, ...failure }] : [];
    });
    const started = { importId: `import${this.#imports.size}`, total: lines.length, errors, polls: 0 };
    this.#imports.set(started.importId, started);
    return { status: 202, body: importBody(started) };
  }

  #channel({ url, headers, body }: Request): Reply {
    if (url.pathname === '/user-services/users/me/saleschannel-binding')
      return ok({ userId: 'user', salesChannelId: 'channel', roles: this.roles });
    if (url.pathname === '/saleschannel-services/v1/transactions') return ok(this.#ledger.transactions);
    const [, traderId, operationPath, taskId] = INVENTORY_PATH.exec(url.pathname) ?? [];
    if (!traderId) return problem(404, 'route-not-found', 'No such path.');
    if (taskId) return this.#task(taskId);
    const operation = operations.find((name) => name === operationPath);
    if (!operation) return ok(this.#ledger.certificates.inventory(traderId));
    const key = String(headers['idempotency-key']);
    const { task, isReplay } = this.#ledger.start(operation, traderId, key, JSON.parse(body));
    return { status: 201, body: task, headers: isReplay ? { 'idempotency-replayed': 'true' } : {} };
  }

  #task(taskId: string): Reply {
    const task = this.#ledger.pollTask(taskId);
    if (!task) return problem(404, 'not-found', 'No such task.');
    return { ...ok(task), headers: task.status === 'PENDING' ? { 'retry-after': '1' } : {} };
  }
}

function importBody({ importId, total, errors, polls }: Import): unknown {
  const isCompleted = polls >= ANSWERS_UNTIL_COMPLETED;
  return {
    importId,
    status: polls === 0 ? 'PENDING' : isCompleted ? 'COMPLETED' : 'RUNNING',
    linesRead: isCompleted ? total : Math.floor((total * polls) / ANSWERS_UNTIL_COMPLETED),
    linesApplied: isCompleted ? total - errors.length : 0,
    linesFailed: isCompleted ? errors.length : 0,
  };
}

/**
 * Fault of a request: lost before it is read, lost after it took effect, answered by a proxy, or refused temporarily.
 */
export type RequestFault = 'cut-before' | 'cut-after' | 'proxy' | 503 | 429 | undefined;

export interface TestStack {
  readonly ledger: Ledger;
  readonly api: PublicApi;
  readonly demo: Demo;
  /** Method and path of every request, in order. */
  readonly requests: string[];
  fault: (request: string, count: number) => RequestFault;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A stack, as seen by a replay. */
export async function startStack(): Promise<TestStack> {
  const ledger = new Ledger('trader-one');
  const api = new PublicApi(ledger);
  const server = createServer((request, response) => {
    handle(stack, request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const stack: TestStack = {
    ledger,
    api,
    demo: demoAt(`http://127.0.0.1:${address.port}`),
    requests: [],
    fault: () => undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return stack;
}

const demoAt = (baseUrl: string): Demo => ({
  baseUrl,
  registryBaseUrl: baseUrl,
  registryKey: keys.registry,
  channels: [
    {
      salesChannelId: 'channel',
      accountHolderId: 'holder',
      traders: [
        { id: 'trader-two', onboarded: false },
        { id: 'trader-one', onboarded: true },
      ],
      users: [{ apiKey: keys.user }],
    },
  ],
});

async function handle(stack: TestStack, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/', headers, socket } = request;
  const name = `${method} ${url}`;
  stack.requests.push(name);
  const fault = stack.fault(name, stack.requests.length);
  if (fault === 'cut-before') return void socket.destroy();
  const body = await text(request);
  if (fault === 'proxy') return void response.end('<html>Sign in</html>');
  const reply =
    typeof fault === 'number'
      ? { ...problem(fault, 'unavailable', 'Not now.'), headers: { 'retry-after': '0' } }
      : stack.api.answer({ method, url: new URL(url, stack.demo.baseUrl), headers, body });
  if (fault === 'cut-after') return void socket.destroy();
  response
    .writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    .end(JSON.stringify(reply.body));
}
