import { afterEach, expect, jest, test } from '@jest/globals';
import { SalesChannel, UnavailableError, type PositionedEvent } from '../src/index.ts';
import { inMemory, json, problem, startServer, type Reply, type Server } from './support/server.ts';

let server: Server | undefined;
afterEach(() => server?.stop());

const createEvent = (number: number) => ({
  id: `e${number}`,
  eventType: 'TRANSACTION_STATUS_CHANGE',
  createdAt: new Date(number).toISOString(),
  eventAt: new Date(number).toISOString(),
  payload: { transactionId: `t${number}`, status: 'SUCCESS' },
});

/** An event log like the service's: a page begins with the events at the time of the filter. */
class Log {
  readonly events: ReturnType<typeof createEvent>[] = [];
  failures = 0;
  pages = 0;

  write(count: number): void {
    for (let number = 0; number < count; number += 1) this.events.push(createEvent(this.events.length));
  }

  reply(url: string): Reply {
    if (this.failures-- > 0) return problem(503, 'unavailable', {}, { 'Retry-After': '0' });
    this.pages += 1;
    const { searchParams } = new URL(url, 'http://localhost');
    expect(searchParams.get('$orderBy')).toBe('{"createdAt":"asc"}');
    const filter = JSON.parse(searchParams.get('$filter') ?? '{}') as { createdAt?: { gte: string } };
    const from = filter.createdAt?.gte;
    const left = this.events.filter(({ createdAt }) => from === undefined || createdAt >= from);
    return json(200, left.slice(0, Number(searchParams.get('$limit'))));
  }
}

async function serve(log: Log): Promise<Server> {
  server = await startServer((_, { url }) => log.reply(url));
  return server;
}

test.each([
  [0, 2, 1],
  [1, 2, 1],
  [2, 2, 2],
  [7, 2, 7],
  [100, 100, 2],
  [100, 37, 3],
])('%i events in pages of %i: each once, in %i pages', async (count, pageSize, pages) => {
  const log = new Log();
  log.write(count);
  const { client } = await serve(log);
  const seen: string[] = [];
  for await (const { event } of client().events.iterate({ pageSize })) seen.push(event.id);
  expect(seen).toEqual(log.events.map(({ id }) => id));
  expect(log.pages).toBe(pages);
});

test('reading resumes after a stored position', async () => {
  const log = new Log();
  log.write(10);
  const { client } = await serve(log);
  const seen: string[] = [];
  let from: string | undefined;
  while (seen.length < 10) {
    for await (const { event, position } of client().events.iterate({ from, pageSize: 4 })) {
      seen.push(event.id);
      from = position;
      break;
    }
  }
  expect(seen).toEqual(log.events.map(({ id }) => id));
  for await (const { event } of client().events.iterate({ from })) throw new Error(`${event.id} came again`);
});

test('following reads later events, survives failures and ends on abort', async () => {
  const log = new Log();
  log.write(3);
  const { client } = await serve(log);
  const ending = new AbortController();
  const failures: unknown[] = [];
  const seen: PositionedEvent[] = [];
  const following = async (): Promise<void> => {
    const onFailure = (error: unknown): void => void failures.push(error);
    const options = { follow: true, pollMs: 1, signal: ending.signal, onFailure };
    for await (const each of client({ retries: 0 }).events.iterate(options)) {
      seen.push(each);
      if (seen.length === 3) {
        log.failures = 2;
        log.write(4);
      }
      if (seen.length === 7) ending.abort(new Error('enough'));
    }
  };
  await expect(following()).rejects.toThrow('enough');
  expect(seen.map(({ event }) => event.id)).toEqual(log.events.map(({ id }) => id));
  expect(failures).toHaveLength(2);
  expect(failures[0]).toBeInstanceOf(UnavailableError);
});

test('an abort stops events that are already read', async () => {
  const log = new Log();
  log.write(5);
  const { client } = await serve(log);
  const ending = new AbortController();
  const seen: string[] = [];
  const reading = async (): Promise<void> => {
    for await (const { event } of client().events.iterate({ signal: ending.signal })) {
      seen.push(event.id);
      if (seen.length === 2) ending.abort(new Error('enough'));
    }
  };
  await expect(reading()).rejects.toThrow('enough');
  expect(seen).toEqual(['e0', 'e1']);
});

test('following waits as long as the service requires', async () => {
  const service = inMemory(
    () => Response.json({ type: '/problems/unavailable' }, { status: 503, headers: { 'Retry-After': '600' } }),
    () => Response.json([createEvent(1)]),
  );
  jest.useFakeTimers();
  try {
    const client = new SalesChannel({ ...service.options, retries: 0 });
    const next = client.events.iterate({ follow: true, pollMs: 1 }).next();
    await jest.advanceTimersByTimeAsync(599_000);
    expect(service.count()).toBe(1);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await next).toMatchObject({ value: { event: { id: 'e1' } } });
  } finally {
    jest.useRealTimers();
  }
});

test('reading without following throws on failures', async () => {
  const log = new Log();
  log.failures = 10;
  const { client } = await serve(log);
  await expect(client({ retries: 0 }).events.iterate().next()).rejects.toThrow(UnavailableError);
});

test('pages of one event and invalid positions are refused', async () => {
  const { client } = await serve(new Log());
  await expect(client().events.iterate({ pageSize: 1 }).next()).rejects.toThrow(RangeError);
  await expect(client().events.iterate({ from: 'yesterday' }).next()).rejects.toThrow(TypeError);
});
