import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Demo } from '../src/index.ts';
import { Ledger, LedgerRefusal } from './ledger.ts';

/** What goes wrong with a request: lost before it is read, lost after it took effect, or refused for now. */
export type Trouble = 'cut-before' | 'cut-after' | 503 | 429 | undefined;

export interface TestStack {
  readonly ledger: Ledger;
  readonly demo: Demo;
  /** Method and path of every request, in order. */
  readonly requests: string[];
  trouble: (request: string, count: number) => Trouble;
  /** Of the user, on the channel. */
  roles: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

const basic = (name: string, secret: string): string => `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
const problem = (status: number, type: string, detail: string): Reply => ({
  status,
  body: { type: `/problems/${type}`, title: type, status, detail },
});
const ok = (body: unknown): Reply => ({ status: 200, body });

interface ImportRun {
  readonly importId: string;
  readonly total: number;
  readonly errors: { line: number; code: string; detail: string }[];
  asked: number;
}

const importAnswer = ({ importId, total, errors, asked }: ImportRun): unknown => ({
  importId,
  status: asked === 0 ? 'PENDING' : asked < 3 ? 'RUNNING' : 'COMPLETED',
  linesRead: asked < 3 ? Math.floor((total * asked) / 3) : total,
  linesApplied: asked < 3 ? 0 : total - errors.length,
  linesFailed: asked < 3 ? 0 : errors.length,
});

/** A stack as far as a replay can tell: the public HTTP APIs over a ledger in memory. */
export async function startStack(): Promise<TestStack> {
  const ledger = new Ledger('trader-one');
  const imports = new Map<string, ImportRun>();

  function importLines(body: string): Reply {
    const lines = body.split('\n').filter((line) => line !== '');
    const errors = lines.flatMap((line, index) => {
      const failure = ledger.importLine(line);
      return failure ? [{ line: index + 1, ...failure }] : [];
    });
    const run: ImportRun = { importId: `import${imports.size}`, total: lines.length, errors, asked: 0 };
    imports.set(run.importId, run);
    return { status: 202, body: importAnswer(run) };
  }

  function registry(method: string, url: URL, body: string): Reply {
    if (method === 'POST' && url.pathname === '/Registry/api/imports') return importLines(body);
    const [, importId, isErrors] = /^\/Registry\/api\/imports\/([^/]+)(\/errors)?$/.exec(url.pathname) ?? [];
    const run = imports.get(importId ?? '');
    if (!run) return problem(404, 'not-found', 'No such import.');
    const [offset, limit] = ['offset', 'limit'].map((name) => Number(url.searchParams.get(name)));
    if (isErrors)
      return ok({
        pagination: { total: run.errors.length, offset, limit },
        data: run.errors.slice(offset, offset! + limit!),
      });
    run.asked++;
    return ok(importAnswer(run));
  }

  function channel(request: IncomingMessage, url: URL, body: string): Reply {
    if (url.pathname === '/user-services/users/me/saleschannel-binding')
      return ok({ userId: 'user', salesChannelId: 'channel', roles: stack.roles });
    if (url.pathname === '/saleschannel-services/v1/transactions') return ok(ledger.transactions);
    const [, traderId = '', operation, taskId] =
      /^\/saleschannel-services\/v1\/traders\/([^/]+)\/inventory(?:\/(trade|retire|offramp))?(?:\/([^/]+))?$/.exec(
        url.pathname,
      ) ?? [];
    if (!operation) return ok(ledger.inventory(traderId));
    if (taskId) {
      const task = ledger.ask(taskId);
      return task
        ? { ...ok(task), headers: task.status === 'PENDING' ? { 'retry-after': '1' } : {} }
        : problem(404, 'not-found', 'No such task.');
    }
    const key = String(request.headers['idempotency-key']);
    const { task, isReplay } = ledger.start(
      operation as 'trade',
      traderId,
      key,
      JSON.parse(body) as Record<string, unknown>,
    );
    return { status: 201, body: task, headers: isReplay ? { 'idempotency-replayed': 'true' } : {} };
  }

  function answer(request: IncomingMessage, body: string): Reply {
    const url = new URL(request.url!, 'http://stack');
    const isRegistry = url.pathname.startsWith('/Registry/');
    const expected = isRegistry ? basic('registry-key', 'registry-secret') : basic('user-key', 'user-secret');
    if (request.headers.authorization !== expected) return problem(401, 'unauthenticated', 'Wrong credentials.');
    try {
      return isRegistry ? registry(request.method!, url, body) : channel(request, url, body);
    } catch (error) {
      if (!(error instanceof LedgerRefusal)) throw error;
      return problem(400, error.type, error.message);
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = `${request.method} ${request.url}`;
    stack.requests.push(name);
    const trouble = stack.trouble(name, stack.requests.length);
    if (trouble === 'cut-before') return void request.socket.destroy();
    const body = await text(request);
    const reply =
      typeof trouble === 'number'
        ? { ...problem(trouble, 'unavailable', 'Not now.'), headers: { 'retry-after': '0' } }
        : answer(request, body);
    if (trouble === 'cut-after') return void request.socket.destroy();
    response
      .writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
      .end(JSON.stringify(reply.body));
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const traders = [
    { id: 'trader-two', name: 'Second', onboarded: false },
    { id: 'trader-one', name: 'First', onboarded: true },
  ];
  const stack: TestStack = {
    ledger,
    requests: [],
    trouble: () => undefined,
    roles: ['ASSET_VIEWER', 'ASSET_OFFRAMPER', 'TRANSACTION_ADMINISTRATOR'],
    demo: {
      baseUrl,
      registryBaseUrl: baseUrl,
      registryKey: { apiKey: 'registry-key', apiSecret: 'registry-secret' },
      channels: [
        {
          salesChannelId: 'channel',
          accountHolderId: 'holder',
          traders,
          users: [{ apiKeyId: 'user-key', passphrase: 'user-secret' }],
        },
      ],
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return stack;
}
