import { expect, test } from '@jest/globals';
import type { DemoChannel } from '@saleschannel/local';
import type { Client } from '../src/client.ts';
import { useOwnSystem } from './support/system.ts';
import {
  inventoryPath,
  issue,
  withIdempotencyKey,
  operator,
  retirementBody,
  seller,
  v1,
  type LogEvent,
  type Task,
} from './support/api.ts';

const system = useOwnSystem();

const WRITERS = 8;
const TRANSFERS_PER_WRITER = 30;

/** Writes like a fast trader: starts each task as soon as the previous one has ended. */
async function write(client: Client, channel: DemoChannel): Promise<void> {
  const path = inventoryPath(seller(channel).id, 'retire');
  const { range } = await issue(system(), channel);
  for (let serial = 1; serial <= TRANSFERS_PER_WRITER; serial += 1) {
    // The next selection is valid once the previous one has left the bundle, so retry until then.
    for (let status = 0; status !== 201;)
      ({ status } = await client.send<Task>('POST', path, {
        body: retirementBody([range(serial, serial)]),
        headers: withIdempotencyKey(),
      }));
  }
}

interface Reader {
  readonly events: LogEvent[];
  readonly pages: number;
}

/** The procedure of the specification. `isOver` returns true when no events follow the next end of the log. */
async function read(client: Client, limit: number, isOver: () => boolean): Promise<Reader> {
  const events: LogEvent[] = [];
  let key: string | undefined;
  let lastId: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const isLast = isOver();
    const filter: Record<string, string> =
      key === undefined ? {} : { $filter: JSON.stringify({ createdAt: { gte: key } }) };
    const page = await client.ok<LogEvent[]>('GET', `${v1}/events`, {
      query: { ...filter, $orderBy: JSON.stringify({ createdAt: 'asc' }), $limit: String(limit) },
    });
    events.push(...page.filter(({ id }) => id !== lastId));
    key = page.at(-1)?.createdAt ?? key;
    lastId = page.at(-1)?.id ?? lastId;
    if (page.length < limit && isLast) return { events, pages };
  }
}

test('readers with any page size read every event once beside 8 writers', async () => {
  const [mine, theirs] = system().channels;
  const client = system().createClient(operator(mine));
  let isOver = false;
  const readers = Promise.all([2, 3, 100].map((limit) => read(client, limit, () => isOver)));
  const writers = [
    ...Array.from({ length: WRITERS }, () => write(client, mine)),
    write(system().createClient(operator(theirs)), theirs),
  ];
  await Promise.all(writers);
  await system().waitUntilDrained();
  isOver = true;
  const written = await system().querySql<{ id: string }>(
    'inventory',
    `select id from ledger_transaction
    where sales_channel_id = $1 and type = 'RETIREMENT' and status = 'SUCCESS' order by id`,
    [mine.salesChannelId],
  );
  expect(written).toHaveLength(WRITERS * TRANSFERS_PER_WRITER);
  const found = await readers;
  for (const { events, pages } of found) {
    expect(events.map(({ payload }) => payload.transactionId).toSorted()).toEqual(
      written.map(({ id }) => id).toSorted(),
    );
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    const times = events.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...new Set(times)].toSorted());
    expect(pages).toBeGreaterThan(2);
  }
  expect(found[1]?.events).toEqual(found[0]?.events);
  expect(found[2]?.events).toEqual(found[0]?.events);
});
