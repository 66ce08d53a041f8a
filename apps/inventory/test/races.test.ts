import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { TransferRequested } from '@saleschannel/contracts';
import { openDatabase, type Database } from '@saleschannel/database';
import { DomainError } from '@saleschannel/errors';
import { systemClock } from '@saleschannel/primitives';
import { silentLogger } from '@saleschannel/runtime';
import { asRegistry } from '@saleschannel/testing';
import { decideTransaction } from '../src/operations/decide-transaction.ts';
import { settleTransfers } from '../src/operations/settle-transfers.ts';
import { entities } from '../src/store/entities.ts';
import { audit } from './audit.ts';
import {
  answerTo,
  applyIssuances,
  decide,
  issuanceOf,
  issue,
  newChannel,
  outcomeOf,
  putFacility,
  rangesOf,
  retirementOf,
  selectionOf,
  settle,
  startLedger,
  tradeOf,
  type Part,
  type TestLedger,
} from './support.ts';

let ledger: TestLedger;
/** Two further processes, as far as the database can tell: what they do happens at once, where the queue would put it in a row. */
let replicas: [Database, Database];

const open = (): Promise<Database> =>
  openDatabase({ url: ledger.service.databaseUrl, poolMax: 8, entities, migrations: [], logger: silentLogger });

beforeAll(async () => {
  ledger = await startLedger();
  await ledger.replica();
  await putFacility(ledger);
  replicas = [await open(), await open()];
});
afterEach(() => audit(ledger));
afterAll(async () => {
  for (const database of replicas) await database.close();
  // A backend tells of its deadlocks at its end at the latest.
  const deadlocks = await ledger.sql('select deadlocks::int from pg_stat_database where datname = current_database()');
  await ledger.stop();
  expect(deadlocks).toEqual([{ deadlocks: 0 }]);
});

const TYPE = 'tasks.transfer.requested.v1';
const settleAt = (replica: number, requests: TransferRequested[]): Promise<void> =>
  settleTransfers({ database: replicas[replica % 2] as Database, clock: systemClock }, requests);
const outcomesOf = async (requests: TransferRequested[]): Promise<string[]> => {
  const said: string[] = [];
  for (const { taskId } of requests) said.push(outcomeOf(await answerTo(ledger, taskId)).said);
  return said.toSorted();
};
const ONE_WINNER = [...Array<string>(49).fill('REFUSED'), 'SUCCESS'];

/** 50 buyers of one bundle. */
async function rush(): Promise<{ channel: string; requests: TransferRequested[] }> {
  const channel = newChannel();
  const issuance = await issue(ledger, channel, `${channel}-seller`);
  return {
    channel,
    requests: Array.from({ length: 50 }, (_, index) =>
      tradeOf(`${channel}-seller`, `${channel}-buyer${index}`, [[issuance, 1, 1 + (index % 10)]]),
    ),
  };
}

test('50 sales of one bundle, published at once: one wins', async () => {
  const { requests } = await rush();
  await Promise.all(requests.map((request) => ledger.publisher.publish(TYPE, [request])));
  expect(await outcomesOf(requests)).toEqual(ONE_WINNER);
});

test('50 sales of one bundle, settled at once by two replicas: one wins', async () => {
  const { requests } = await rush();
  await Promise.all(requests.map((request, index) => settleAt(index, [request])));
  expect(await outcomesOf(requests)).toEqual(ONE_WINNER);
});

test('one task, given to two replicas at once, is carried out once and never refused', async () => {
  const channel = newChannel();
  for (let round = 0; round < 10; round++) {
    const issuance = await issue(ledger, channel, `${channel}-seller`);
    const request = tradeOf(`${channel}-seller`, `${channel}-buyer`, [[issuance, 1, 5]]);
    await Promise.all([0, 1, 0, 1].map((replica) => settleAt(replica, [request])));
    await answerTo(ledger, request.taskId, 4);
    const told = ledger.heard
      .filter(({ event }) => event.taskId === request.taskId)
      .map((entry) => outcomeOf(entry).said);
    expect(told).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS']);
  }
});

test('a replica that stops in the middle hands over: every transfer is carried out once', async () => {
  const channel = newChannel();
  const issuance = await issue(ledger, channel, `${channel}-seller`, '1', '300');
  const third = await ledger.replica();
  const requests = Array.from({ length: 300 }, (_, index) =>
    tradeOf(`${channel}-seller`, `${channel}-buyer`, [[issuance, index + 1, index + 1]]),
  );
  const publishing = (async () => {
    for (const request of requests) await ledger.publisher.publish(TYPE, [request]);
  })();
  await answerTo(ledger, requests[50]?.taskId ?? '');
  // The active consumer, whichever that is, is one of those that go or stay; the first one to go is the one that was started last.
  await third.stop();
  await publishing;
  expect(new Set(await outcomesOf(requests))).toEqual(new Set(['SUCCESS']));
  expect(await rangesOf(ledger, `${channel}-buyer`)).toHaveLength(300);
}, 60_000);

/** Numbers that look random and are the same in every run. */
function pseudoRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

test('transfers over the same bundles in opposite orders, with approvals and rejections between them, never lose a certificate or lock each other out', async () => {
  const channel = newChannel();
  const traders = [0, 1, 2].map((index) => `${channel}-t${index}`);
  const issuances = [
    await issue(ledger, channel, `${channel}-t0`, '1', '40'),
    await issue(ledger, channel, `${channel}-t0`, '1', '40'),
  ];
  const counts = { settled: 0, decided: 0 };

  async function work(worker: number): Promise<void> {
    const random = pseudoRandom(worker + 1);
    for (let round = 0; round < 25; round++) {
      const pending = await ledger.sql<{ id: string }>(
        "select id from ledger_transaction where status = 'PENDING' and sales_channel_id = ?",
        [channel],
      );
      if (pending.length > 0 && random(2) === 0) {
        const id = pending[random(pending.length)]?.id ?? '';
        const decision = random(2) === 0 ? 'APPROVE' : 'REJECT';
        await decideTransaction({ database: replicas[worker % 2] as Database, clock: systemClock }, id, decision).catch(
          (error: unknown) => {
            if (!(error instanceof DomainError) || error.code !== 'request-refused') throw error;
          },
        );
        counts.decided++;
        continue;
      }
      const seller = traders[random(3)] as string;
      const owned = await ledger.sql<{ issuance_id: string; first: number; last: number }>(
        "select issuance_id, (previous_last + 1)::int as first, last::int from bundle where owner_id = ? and state = 'LISTABLE' order by issuance_id, last",
        [seller],
      );
      const chosen = owned.filter(() => random(3) > 0);
      if (random(2) === 0) chosen.reverse();
      const parts = chosen.map(({ issuance_id: id, first, last }): Part => [
        id,
        first,
        first + random(last - first + 1),
      ]);
      if (parts.length === 0) continue;
      const buyer = traders[(traders.indexOf(seller) + 1 + random(2)) % 3] as string;
      await settleAt(worker, [tradeOf(seller, buyer, parts, { autoApproval: random(3) === 0 })]);
      counts.settled++;
    }
  }
  await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(work));
  expect(counts.settled).toBeGreaterThan(20);
  expect(counts.decided).toBeGreaterThan(20);
  const sums = await ledger.sql(
    'select sum(last - previous_last)::int as sum from bundle where issuance_id = any(?::uuid[]) group by issuance_id',
    [`{${issuances.join()}}`],
  );
  expect(sums).toEqual([{ sum: 40 }, { sum: 40 }]);
}, 60_000);

test('approve and reject at once: exactly one holds', async () => {
  const channel = newChannel();
  const said = new Set<string>();
  for (let round = 0; round < 15; round++) {
    const issuance = await issue(ledger, channel, `${channel}-seller`);
    const { transactionId } = await settle(
      ledger,
      retirementOf(`${channel}-seller`, [[issuance, 1, 5]], { autoApproval: false }),
    );
    const outcomes = await Promise.allSettled([
      decide(ledger, transactionId, 'APPROVE'),
      decide(ledger, transactionId, 'REJECT'),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const won = outcomes.find((outcome) => outcome.status === 'fulfilled')?.value.status ?? '';
    const [{ state } = { state: '' }] = await ledger.sql<{ state: string }>(
      'select state from bundle where issuance_id = ? and previous_last = 0',
      [issuance],
    );
    expect(state).toBe(won === 'SUCCESS' ? 'RETIRED' : 'LISTABLE');
    said.add(won);
  }
});

test('neighbours that are given back at once all become one bundle again', async () => {
  const channel = newChannel();
  for (let round = 0; round < 5; round++) {
    const issuance = await issue(ledger, channel, `${channel}-seller${round}`);
    const transactions: string[] = [];
    for (const serials of [
      [1, 2],
      [3, 4],
      [5, 6],
      [7, 8],
    ] as const) {
      transactions.push(
        (
          await settle(
            ledger,
            tradeOf(`${channel}-seller${round}`, `${channel}-buyer`, [[issuance, ...serials]], { autoApproval: false }),
          )
        ).transactionId,
      );
    }
    await Promise.all(transactions.map((id) => decide(ledger, id, 'REJECT')));
    expect(await rangesOf(ledger, `${channel}-seller${round}`)).toEqual(['1-10']);
  }
});

test('one issuance, applied by many at once, is made once; batches in opposite orders do not lock each other out', async () => {
  const issuances = Array.from({ length: 50 }, () => issuanceOf('h'));
  const calls = Array.from({ length: 10 }, (_, index) =>
    applyIssuances(ledger, index % 2 === 0 ? issuances : issuances.toReversed()),
  );
  const outcomes = (await Promise.all(calls)).flat().map(({ outcome }) => outcome);
  expect(outcomes.filter((outcome) => outcome === 'CREATED')).toHaveLength(50);
  expect(outcomes.filter((outcome) => outcome === 'UNCHANGED')).toHaveLength(450);
});

test('one bundle, ramped on by many at once, is moved once', async () => {
  const issuance = issuanceOf('ramp');
  await applyIssuances(ledger, [issuance]);
  const options = await asRegistry();
  const request = {
    accountHolderId: 'ramp',
    salesChannelId: 'ramp',
    traderId: 'ramp-a',
    assets: [selectionOf([issuance.issuanceId, 1, 10])],
  };
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () => ledger.registryImport.Onramp(request, options)),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await rangesOf(ledger, 'ramp-a')).toEqual(['1-10']);
});
