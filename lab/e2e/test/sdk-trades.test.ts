import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SalesChannel, type TaskHandle } from '@saleschannel/sdk';
import { manyOrFew } from '@saleschannel/testing';
import { startFaultyProxy, type FaultyProxy } from './support/faulty-proxy.ts';
import { inParallel, issueMany, buyer, operator, seller } from './support/api.ts';
import { useSystem } from './support/system.ts';

const TRADES = manyOrFew(1_000, 200);
const WRITERS = 8;

const system = useSystem();
let proxy: FaultyProxy;
beforeAll(async () => {
  proxy = await startFaultyProxy(system().baseUrl, 7);
});
afterAll(() => proxy.stop());

test('over an unreliable connection each trade is made once, even after a restart of the program', async () => {
  const [channel] = system().channels;
  const { id: apiKeyId, secret: passphrase } = operator(channel).apiKey;
  const client = new SalesChannel({
    baseUrl: proxy.url,
    credentials: { apiKeyId, passphrase },
    retries: 30,
    random: () => 0,
  });
  const starts = await issueMany(system(), channel, TRADES);
  const trade = (start: string, key: number): Promise<TaskHandle> =>
    client.trades.start(
      seller(channel).id,
      { buyerId: buyer(channel).id, currency: 'EUR', assets: [{ start, end: start, unitPrice: '149.500001' }] },
      { idempotencyKey: `order-${key}` },
    );
  const numbered = [...starts.entries()];
  const tasks = await inParallel(numbered, ([key, start]) => trade(start, key), WRITERS);
  const again = await inParallel(numbered, ([key, start]) => trade(start, key), WRITERS);
  expect(again.map(({ id }) => id)).toEqual(tasks.map(({ id }) => id));
  expect(again.every(({ wasReplayed }) => wasReplayed)).toBe(true);
  await Promise.all(tasks.map((task) => task.wait()));
  const mine = new Set(tasks.map(({ transactionId }) => transactionId));
  expect(mine.size).toBe(TRADES);
  const sold: string[] = [];
  for await (const { id, status, assets } of client.transactions.list()) {
    if (!mine.has(id)) continue;
    expect({ status, price: assets[0]?.unitPrice }).toEqual({ status: 'SUCCESS', price: 149.500001 });
    sold.push(...assets.map(({ start }) => start));
  }
  expect(sold.toSorted()).toEqual(starts.toSorted());
  const [counted] = await system().querySql<{ trades: number }>(
    'inventory',
    `select count(*)::int as trades from ledger_transaction where sales_channel_id = $1 and type = 'TRADE'
     and created_at >= (select min(created_at) from ledger_transaction where id = any($2))`,
    [channel.salesChannelId, [...mine]],
  );
  expect(counted?.trades).toBe(TRADES);
  expect(Math.min(...Object.values(proxy.faultCounts))).toBeGreaterThan(0);
}, 300_000);
