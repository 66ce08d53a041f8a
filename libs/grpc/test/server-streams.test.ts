import { afterEach, expect, test } from '@jest/globals';
import { access } from '@saleschannel/auth';
import { services } from '@saleschannel/contracts';
import { requestRefused } from '@saleschannel/errors';
import {
  createGrpcServer,
  createServiceIdentity,
  identityEnvironment,
  implement,
  type GrpcServer,
} from '@saleschannel/grpc';
import { readEnvironment, silentLogger } from '@saleschannel/runtime';
import { asUser, callAs, failureOf, identityVariables } from '@saleschannel/testing';
import type { Trader, Trader__Output } from '@saleschannel/contracts/gen/traders/v1/Trader';

const never = (): never => {
  throw new Error('not part of this test');
};

let server: GrpcServer;
let close: () => void;

async function startServer(
  listTraders: () => AsyncIterable<Trader>,
): Promise<() => Promise<AsyncIterable<Trader__Output>>> {
  const { verifier } = await createServiceIdentity(
    'traders',
    readEnvironment(identityEnvironment, identityVariables('traders')),
  );
  const unused = { callers: [], access: access.getTrader, handler: never };
  const traders = implement(services.traders, {
    CreateTrader: unused,
    UpdateTrader: unused,
    GetTrader: unused,
    ListProposals: unused,
    AcceptProposal: unused,
    RejectProposal: unused,
    ListTraders: { callers: ['gateway'], access: access.listTraders, handler: listTraders },
  });
  server = createGrpcServer({
    host: '127.0.0.1',
    port: 0,
    services: [traders],
    tokens: verifier,
    logger: silentLogger,
  });
  await server.start();
  const client = await callAs('gateway', services.traders, server.address);
  close = () => client.close();
  return async () => client.ListTraders({}, await asUser('a-channel', ['TRADER_VIEWER']));
}

afterEach(async () => {
  close();
  await server.stop();
});

async function collect(traders: AsyncIterable<Trader__Output>, into: string[] = []): Promise<string[]> {
  for await (const { id } of traders) into.push(id);
  return into;
}

test('a stream arrives whole and in order', async () => {
  const list = await startServer(async function* () {
    for (let index = 0; index < 5_000; index++) yield { id: String(index) };
  });
  expect(await collect(await list())).toEqual(Array.from({ length: 5_000 }, (_, index) => String(index)));
});

test('an error before the first message arrives as it was thrown', async () => {
  const list = await startServer(async function* () {
    if (server) throw requestRefused('No.', [{ detail: 'no', code: 'no' }]);
    yield {};
  });
  expect(await failureOf(collect(await list()))).toMatchObject({
    code: 'request-refused',
    message: 'No.',
    violations: [{ code: 'no' }],
  });
});

test('an error in the middle arrives after the messages before it', async () => {
  const list = await startServer(async function* () {
    yield { id: '1' };
    yield { id: '2' };
    throw requestRefused('No.');
  });
  const seen: string[] = [];
  expect(await failureOf(collect(await list(), seen))).toMatchObject({ code: 'request-refused', message: 'No.' });
  expect(seen).toEqual(['1', '2']);
});

test('an unknown error tells nothing', async () => {
  const list = await startServer(never);
  expect(await failureOf(collect(await list()))).toMatchObject({ code: 'internal', message: 'The request failed.' });
});

test('a slow reader slows the sender, and one that goes away ends it', async () => {
  let sent = 0;
  const ended = Promise.withResolvers<void>();
  const list = await startServer(async function* () {
    try {
      for (;;) {
        sent += 1;
        yield { id: 'x'.repeat(10_000) };
      }
    } finally {
      ended.resolve();
    }
  });
  let read = 0;
  for await (const _trader of await list()) {
    read += 1;
    if (read === 100) break;
  }
  await ended.promise;
  // What fits into the buffers of both ends, far from endless.
  expect(sent).toBeLessThan(10_000);
});
