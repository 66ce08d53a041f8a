import { Agent, request as send, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DomainError } from '@saleschannel/errors';
import { eventually } from '@saleschannel/testing';
import { fakes } from './support/fakes.ts';
import { expectProblem } from './support/promised.ts';
import { asset, trader } from './support/samples.ts';
import { startSystem, type System } from './support/system.ts';

let system: System;
const agent = new Agent();
beforeAll(async () => {
  system = await startSystem();
});
afterAll(async () => {
  agent.destroy();
  await system.stop();
});
beforeEach(() => {
  Object.assign(system.rpcs.inventory, fakes.inventory);
  Object.assign(system.rpcs.traders, fakes.traders);
  Object.assign(system.rpcs.registryImport, fakes.registryImport);
});

const inventoryPath = '/saleschannel-services/v1/traders/t1/inventory';

/** Opens a request and hands the answer out as soon as its head is there. */
const open = (path: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const [host = '', port = ''] = system.address.split(':');
    send({ host, port, path, agent, headers: { Authorization: system.user().authorization } }, resolve)
      .on('error', reject)
      .end();
  });

async function* chunks(
  count: number,
  bytes: number,
  onSent: () => void = () => undefined,
): AsyncGenerator<{ data: Buffer }> {
  yield { data: Buffer.from('[') };
  for (let index = 0; index < count; index += 1) {
    onSent();
    yield { data: Buffer.from(`${index === 0 ? '' : ','}"${'x'.repeat(bytes)}"`) };
  }
  yield { data: Buffer.from(']') };
}

describe('bytes that inventory rendered', () => {
  test('are not touched: numbers keep every digit', async () => {
    const text = '[{"unitPrice":0.10,"volume":12345678901234567890}]';
    system.rpcs.inventory['ListInventory'] = async function* () {
      yield { data: Buffer.from(text.slice(0, 20)) };
      yield { data: Buffer.from(text.slice(20)) };
    };
    expect(
      (await system.raw({ path: inventoryPath, headers: { Authorization: system.user().authorization } })).text,
    ).toBe(text);
  });

  test('arrive whole, however many', async () => {
    system.rpcs.inventory['ListInventory'] = () => chunks(2_000, 10_000);
    const answer = await system.raw({ path: inventoryPath, headers: { Authorization: system.user().authorization } });
    expect((JSON.parse(answer.text) as unknown[]).length).toBe(2_000);
  });

  test('wait for a reader that is slow', async () => {
    let sent = 0;
    const count = 1_000;
    system.rpcs.inventory['ListInventory'] = () => chunks(count, 100_000, () => (sent += 1));
    const answer = await open(inventoryPath);
    // Nobody reads: sending stops once the buffers on the way are full, far from the 100 MB.
    let before = -1;
    await eventually(async () => {
      const isStill = sent > 0 && sent === before;
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return isStill;
    }, 'a sender that waits');
    expect(sent).toBeLessThan(count / 2);
    let bytes = 0;
    for await (const piece of answer) bytes += (piece as Buffer).length;
    expect([sent, bytes]).toEqual([count, count * 100_002 + count + 1]);
  });

  test('end with the client: the call is cancelled', async () => {
    let ended = false;
    system.rpcs.inventory['ListInventory'] = (_request, call) => {
      call.signal.addEventListener('abort', () => (ended = true));
      return chunks(100_000, 10_000);
    };
    const answer = await open(inventoryPath);
    answer.destroy();
    await eventually(async () => ended, 'the end of the call');
  });

  test('end with a client that leaves before the first of them', async () => {
    const state = { asked: false, ended: false };
    system.rpcs.inventory['ListInventory'] = async function* (_request, call) {
      state.asked = true;
      await new Promise<void>((resolve) => call.signal.addEventListener('abort', () => resolve()));
      state.ended = true;
      yield { data: Buffer.from('[]') };
    };
    const [host = '', port = ''] = system.address.split(':');
    const request = send({
      host,
      port,
      path: inventoryPath,
      agent,
      headers: { Authorization: system.user().authorization },
    });
    request.on('error', () => undefined).end();
    await eventually(async () => state.asked);
    request.destroy();
    await eventually(async () => state.ended, 'the end of the call');
  });

  test('that fail before the first give a problem', async () => {
    system.rpcs.inventory['ListInventory'] = async function* () {
      yield* [];
      throw new DomainError('not-found', 'The resource does not exist or is not visible to you.');
    };
    expectProblem(await system.call('listInventory'), 404, 'not-found');
  });

  test('that fail later break the connection', async () => {
    system.rpcs.inventory['ListInventory'] = async function* () {
      yield { data: Buffer.from('[') };
      yield { data: Buffer.from(JSON.stringify(asset)) };
      throw new DomainError('unavailable', 'away');
    };
    await expect(system.call('listInventory')).rejects.toThrow(/aborted|ECONNRESET|socket hang up/);
    expect((await system.call('getHealth')).status).toBe(200);
  });

  test('may be none', async () => {
    system.rpcs.inventory['ListInventory'] = async function* () {
      yield { data: Buffer.from('[]') };
    };
    expect((await system.call('listInventory')).text).toBe('[]');
  });
});

describe('a list of messages', () => {
  test.each([0, 1, 2, 5_000])('of %i is one JSON array', async (count) => {
    system.rpcs.traders['ListTraders'] = async function* () {
      for (let index = 0; index < count; index += 1) yield { ...trader, id: `t${index}`, address: {} };
    };
    const answer = await system.call('listTraders');
    expect((JSON.parse(answer.text) as { id: string }[]).map(({ id }) => id)).toEqual(
      Array.from({ length: count }, (_, index) => `t${index}`),
    );
  });

  test('leaves absent members of an address out', async () => {
    expect(JSON.parse((await system.call('listTraders')).text)).toContainEqual({
      id: 'c',
      businessId: 'NO-1',
      name: 'Fjordkarbon',
      address: { city: 'Oslo' },
    });
  });

  test('that fails before anything was sent gives a problem', async () => {
    system.rpcs.traders['ListTraders'] = async function* () {
      yield trader;
      throw new DomainError('unavailable', 'away', { retryAfterSeconds: 7 });
    };
    const answer = await system.call('listTraders');
    expectProblem(answer, 503, 'unavailable');
    expect(answer.headers['retry-after']).toBe('7');
  });
});

describe('an import', () => {
  const start = (body: Buffer | undefined, headers: Record<string, string> = {}, query = '') =>
    system.raw({
      method: 'POST',
      path: `/Registry/api/imports${query}`,
      headers: {
        Authorization: system.registryKey().authorization,
        'Content-Type': 'application/x-ndjson',
        ...headers,
      },
      body,
      chunked: true,
    });

  test('passes a file of any length on in pieces, with its type first', async () => {
    const seen = { header: undefined as unknown, bytes: 0, largest: 0 };
    system.rpcs.registryImport['StartImport'] = async (parts) => {
      for await (const { header, data } of parts as unknown as AsyncIterable<{ header?: unknown; data?: Buffer }>) {
        if (header) seen.header = header;
        else {
          seen.bytes += data?.length ?? 0;
          seen.largest = Math.max(seen.largest, data?.length ?? 0);
        }
      }
      return {
        importId: 'm/1',
        status: 'RUNNING',
        linesRead: 1,
        linesApplied: 1,
        linesFailed: 0,
        createdAt: '2025-03-04T10:02:11.318Z',
      };
    };
    const answer = await start(
      Buffer.alloc(20_000_000, 'x'),
      { 'Content-Type': 'text/csv; charset=utf-8' },
      '?type=issuance',
    );
    expect([answer.status, answer.headers.location]).toEqual([202, '/Registry/api/imports/m%2F1']);
    expect(seen).toMatchObject({ header: { contentType: 'text/csv', type: 'issuance' }, bytes: 20_000_000 });
    expect(seen.largest).toBeLessThanOrEqual(65_536);
  });

  test('waits for a service that is slow', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let bytes = 0;
    system.rpcs.registryImport['StartImport'] = async (parts) => {
      for await (const { data } of parts as unknown as AsyncIterable<{ data?: Buffer }>) {
        bytes += data?.length ?? 0;
        if (bytes > 0) await held;
      }
      return { importId: 'm1', status: 'COMPLETED', createdAt: '2025-03-04T10:02:11.318Z' };
    };
    const [host = '', port = ''] = system.address.split(':');
    const finished = new Promise<IncomingMessage>((resolve, reject) => {
      const request = send(
        {
          host,
          port,
          method: 'POST',
          path: '/Registry/api/imports',
          agent,
          headers: { Authorization: system.registryKey().authorization, 'Content-Type': 'application/x-ndjson' },
        },
        resolve,
      );
      request.on('error', reject);
      const piece = Buffer.alloc(1_000_000, 'x');
      let left = 60;
      const write = (): void => {
        while (left > 0) {
          left -= 1;
          if (!request.write(piece)) return void request.once('drain', write);
        }
        request.end(() => (allWritten = true));
      };
      write();
    });
    let allWritten = false;
    await eventually(async () => bytes > 0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(allWritten).toBe(false);
    release();
    expect((await finished).resume().statusCode).toBe(202);
    expect(bytes).toBe(60_000_000);
  });

  test.each([
    ['NDJSON with a type', 'application/x-ndjson', '?type=issuance', 'not-allowed'],
    ['CSV without a type', 'text/csv', '', 'required'],
    ['a wrong type', 'text/csv', '?type=x', 'enum'],
  ])('of %s is refused', async (_what, type, query, code) => {
    const answer = await start(Buffer.from('x'), { 'Content-Type': type }, query);
    expect(expectProblem(answer, 400, 'invalid-request').errors).toEqual([
      expect.objectContaining({ parameter: 'type', code }),
    ]);
  });

  test('of another media type is refused, and the rest of the file is let through', async () => {
    expectProblem(
      await start(Buffer.alloc(5_000_000, 'x'), { 'Content-Type': 'application/json' }),
      415,
      'unsupported-media-type',
    );
  });

  test('that the service refuses half way is answered', async () => {
    system.rpcs.registryImport['StartImport'] = async () => {
      throw new DomainError('unavailable', 'away');
    };
    expectProblem(await start(Buffer.alloc(5_000_000, 'x')), 503, 'unavailable');
  });

  test('whose sender goes away ends the call', async () => {
    const state = { started: false, ended: false };
    system.rpcs.registryImport['StartImport'] = async (parts, call) => {
      call.signal.addEventListener('abort', () => (state.ended = true));
      for await (const _part of parts as unknown as AsyncIterable<unknown>) state.started = true;
      return { importId: 'm1' };
    };
    const [host = '', port = ''] = system.address.split(':');
    const request = send({
      host,
      port,
      method: 'POST',
      path: '/Registry/api/imports',
      agent,
      headers: { Authorization: system.registryKey().authorization, 'Content-Type': 'application/x-ndjson' },
    });
    request.on('error', () => undefined).write('{}\n');
    await eventually(async () => state.started);
    request.destroy();
    await eventually(async () => state.ended, 'the end of the call');
  });
});
