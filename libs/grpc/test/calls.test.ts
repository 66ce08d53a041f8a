import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTokenVerifier } from '@saleschannel/auth';
import { unavailable } from '@saleschannel/errors';
import { currentLimit, runWithin, silentLogger } from '@saleschannel/runtime';
import { callAs, eventually, catchFailure, neighbour, publicKeys, startNeighboursAt } from '@saleschannel/testing';
import { createGrpcServer, type Call, type GrpcServer, type Registration, type SentTo } from '../src/index.ts';
import { transports } from './support/servers.ts';

type Piece = SentTo<'registryImport.StartImport'>;
interface Import {
  readonly importId: string;
}

const MIB = 1024 * 1024;
/** For a call that the test answers. */
const SLOW_MS = 60_000;

const nextTurn = (): Promise<void> => new Promise(setImmediate);

let newHost: () => string;
const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const serve = async (...registrations: Registration[]): Promise<GrpcServer> => {
  const server = await startNeighboursAt(newHost(), ...registrations);
  closing.push(() => server.stop());
  return server;
};

type GetTrader = (request: { traderId: string }, call: Call) => Promise<{ id: string; name?: string }>;

const traders = (handler: GetTrader): Registration => neighbour('traders', ['gateway'], { GetTrader: handler });

async function tradersClient(address: string) {
  const client = await callAs('gateway', 'traders', address);
  closing.push(() => client.close());
  return client;
}

/** Starts the server again at the address of a previous one. */
async function serveAgain(address: string, handler: GetTrader): Promise<GrpcServer> {
  const [host = '', port = '0'] = address.startsWith('in-process:') ? [address] : address.split(':');
  const server = createGrpcServer({
    host,
    port: Number(port),
    services: [traders(handler)],
    tokens: createTokenVerifier(publicKeys, 'traders'),
    logger: silentLogger,
  });
  await server.start();
  closing.push(() => server.stop());
  return server;
}

describe.each(transports)('a call %s', (_transport, createHost) => {
  beforeEach(() => {
    newHost = createHost;
  });

  test('shares no object between the two sides', async () => {
    const requests: object[] = [];
    const answer = { id: 'a', name: 'One' };
    const server = await serve(
      traders(async (request) => {
        requests.push(request);
        return answer;
      }),
    );
    const client = await tradersClient(server.address);
    const request = { traderId: 'a' };
    const received = await client.GetTrader(request);
    expect(received).toMatchObject(answer);
    expect(received).not.toBe(answer);
    expect(requests[0]).toMatchObject(request);
    expect(requests[0]).not.toBe(request);
  });

  test('carries no message above 8 MiB in either direction', async () => {
    const server = await serve(traders(async ({ traderId }) => ({ id: 'a', name: 'x'.repeat(Number(traderId)) })));
    const client = await tradersClient(server.address);
    expect(await client.GetTrader({ traderId: String(7 * MIB) })).toMatchObject({ id: 'a' });
    expect(await catchFailure(client.GetTrader({ traderId: String(9 * MIB) }))).toMatchObject({ code: 'internal' });
    expect(await catchFailure(client.GetTrader({ traderId: '1'.repeat(9 * MIB) }))).toMatchObject({ code: 'internal' });
    expect(await client.GetTrader({ traderId: '1' })).toMatchObject({ id: 'a' });
  });

  test('waits for a missing server until its deadline', async () => {
    const first = await serve(traders(async () => ({ id: 'first' })));
    const client = await tradersClient(first.address);
    await client.GetTrader({ traderId: 'a' });
    await first.stop();
    const early = client.GetTrader({ traderId: 'a' }, { timeoutMs: 100 });
    expect(await catchFailure(early)).toMatchObject({ code: 'unavailable' });
    const waiting = client.GetTrader({ traderId: 'a' }, { timeoutMs: SLOW_MS });
    await nextTurn();
    await serveAgain(first.address, async () => ({ id: 'second' }));
    expect(await waiting).toMatchObject({ id: 'second' });
  });

  test('is answered by a server that is stopping', async () => {
    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const server = await serve(
      traders(async () => {
        begun.resolve();
        await held.promise;
        return { id: 'a' };
      }),
    );
    const client = await tradersClient(server.address);
    const pendingCall = client.GetTrader({ traderId: 'a' }, { timeoutMs: SLOW_MS });
    await begun.promise;
    let hasStopped = false;
    const stopped = server.stop().then(() => (hasStopped = true));
    const later = client.GetTrader({ traderId: 'b' }, { timeoutMs: 100 });
    expect(await catchFailure(later)).toMatchObject({ code: 'unavailable' });
    expect(hasStopped).toBe(false);
    held.resolve();
    expect(await pendingCall).toMatchObject({ id: 'a' });
    await stopped;
  });

  test('is retried when it is repeatable and the server is unavailable, otherwise not', async () => {
    let [times, created] = [0, 0];
    const server = await serve(
      traders(async ({ traderId }) => {
        times += 1;
        if (times < 3) throw unavailable(new Error('not now'));
        return { id: traderId };
      }),
      neighbour('rbacAdministration', ['gateway'], {
        CreateSalesChannel: async () => {
          created += 1;
          throw unavailable(new Error('not now'));
        },
      }),
    );
    const client = await tradersClient(server.address);
    expect(await client.GetTrader({ traderId: 'a' })).toMatchObject({ id: 'a' });
    expect(times).toBe(3);
    times = -10;
    expect(await catchFailure(client.GetTrader({ traderId: 'a' }))).toMatchObject({ code: 'unavailable' });
    expect(times).toBe(-6);
    const other = await callAs('gateway', 'rbacAdministration', server.address);
    closing.push(() => other.close());
    expect(await catchFailure(other.CreateSalesChannel({ name: 'One' }))).toMatchObject({ code: 'unavailable' });
    expect(created).toBe(1);
  });

  test('notifies its handler at the deadline', async () => {
    const ended = Promise.withResolvers<unknown>();
    const server = await serve(
      traders(async (_request, call) => {
        const { signal } = call;
        await new Promise<void>((resolve) =>
          signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true }),
        );
        ended.resolve(currentLimit()?.isCancelled());
        return { id: 'a' };
      }),
    );
    const client = await tradersClient(server.address);
    // On a slow machine a call may end before it is connected.
    await eventually(async () => {
      await catchFailure(client.GetTrader({ traderId: 'a' }, { timeoutMs: 100 }));
      return Promise.race([ended.promise, nextTurn()]).then(Boolean);
    }, 'the end in a handler');
    expect(await ended.promise).toBe(true);
  });

  test('passes on only its metadata, not the context of the caller', async () => {
    const seen: unknown[] = [];
    const server = await serve(
      traders(async (_request, call) => {
        seen.push(currentLimit()?.deadline === call.deadline);
        return { id: 'a' };
      }),
    );
    const client = await tradersClient(server.address);
    const limit = { deadline: 1, isCancelled: () => false };
    await runWithin(limit, async () => {
      await client.GetTrader({ traderId: 'a' });
      // The response arrives in the caller's context again.
      seen.push(currentLimit() === limit);
    });
    expect(seen).toEqual([true, true]);
  });

  test('reports a replayed response', async () => {
    const server = await serve(
      traders(async (_request, call) => {
        if (call.idempotencyKey === 'known') call.markReplayed();
        return { id: 'a' };
      }),
    );
    const client = await tradersClient(server.address);
    let replays = 0;
    const onReplayed = (): void => void (replays += 1);
    await client.GetTrader({ traderId: 'a' }, { idempotencyKey: 'new', onReplayed });
    expect(replays).toBe(0);
    await client.GetTrader({ traderId: 'a' }, { idempotencyKey: 'known', onReplayed });
    expect(replays).toBe(1);
  });
});

describe.each(transports)('a client stream %s', (_transport, createHost) => {
  beforeEach(() => {
    newHost = createHost;
  });

  type StartImport = (pieces: AsyncIterable<object>, call: Call) => Promise<Import>;

  async function importClient(handler: StartImport) {
    const server = await serve(neighbour('registryImport', ['gateway'], { StartImport: handler }));
    const client = await callAs('gateway', 'registryImport', server.address);
    closing.push(() => client.close());
    return client;
  }

  test('arrives whole and in order', async () => {
    const client = await importClient(async (pieces) => {
      const numbers: number[] = [];
      for await (const piece of pieces) numbers.push(Number(String((piece as { data: Buffer }).data)));
      return { importId: String(numbers.every((number, index) => number === index) && numbers.length) };
    });
    async function* pieces(): AsyncGenerator<Piece> {
      for (let index = 0; index < 2_000; index += 1) yield { data: Buffer.from(String(index)) };
    }
    expect(await client.StartImport(pieces())).toMatchObject({ importId: '2000' });
  });

  test('is slowed by a slow receiver, and ends with its response', async () => {
    let sent = 0;
    const held = Promise.withResolvers<void>();
    const client = await importClient(async (pieces) => {
      for await (const _first of pieces) break;
      await held.promise;
      return { importId: 'a' };
    });
    async function* pieces(): AsyncGenerator<Piece> {
      for (;;) {
        sent += 1;
        yield { data: Buffer.alloc(MIB) };
        await nextTurn();
      }
    }
    const answer = client.StartImport(pieces(), { timeoutMs: SLOW_MS });
    await eventually(async () => sent > 1, 'pieces on their way');
    // Enough time for all messages that the sender would send.
    for (let turn = 0; turn < 2_000; turn += 1) await nextTurn();
    // Sixteen on the receiver's side, as many on the sender's, and a few in between.
    expect(sent).toBeLessThan(64);
    held.resolve();
    expect(await answer).toMatchObject({ importId: 'a' });
  });

  test('that fails at the sender is cancelled', async () => {
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const client = await importClient(async (pieces, { signal }) => {
      signal.addEventListener('abort', () => ended.resolve());
      for await (const _piece of pieces) begun.resolve();
      return { importId: 'a' };
    });
    async function* pieces(): AsyncGenerator<Piece> {
      yield { data: Buffer.alloc(1) };
      await begun.promise;
      throw new Error('the file ended early');
    }
    expect(await catchFailure(client.StartImport(pieces()))).toMatchObject({ message: 'the file ended early' });
    await ended.promise;
  });
});
