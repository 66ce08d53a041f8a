import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createConnection, sql } from '@saleschannel/database';
import { asRegistry } from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory, type Scene } from './support/inventory.ts';
import { createIssuance } from './support/issuances.ts';
import { holderOf, createOfframp, createRetirement, toSelection, createTrade } from './support/transfers.ts';

/** Selections of the previous generation of the API: old serials without issuance, anywhere within a bundle. */

let inventory: Inventory;

beforeAll(async () => {
  inventory = await startInventory();
});
afterEach(() => audit(inventory.service));
afterAll(() => inventory.stop());

/** A unique GSRN and the number of a certificate. */
const serialOf = (gsrn: number, number: number): string => `${643002406800000000n + BigInt(gsrn)}${pad(number)}`;
const pad = (number: number): string => String(number).padStart(10, '0');
let gsrns = 0;
const newGsrn = (): number => ++gsrns;

type Range = { start: string; end: string };
const old = (gsrn: number, first: number, last: number): Range => ({
  start: serialOf(gsrn, first),
  end: serialOf(gsrn, last),
});
const named = (issuanceId: string, gsrn: number, first: number, last: number): Range =>
  toSelection([issuanceId, serialOf(gsrn, first), serialOf(gsrn, last)]);

const issueOld = ({ channel, seller }: Scene, gsrn: number, last = 10): Promise<string> =>
  inventory.issue(channel, seller, serialOf(gsrn, 1), serialOf(gsrn, last));

async function check({ channel, seller }: Scene, selections: Range[], traderId = seller) {
  const checks = [{ salesChannelId: channel, traderId, selections, previousGeneration: true }];
  const [verdict] = (await inventory.tasks.CheckSelections({ checks })).verdicts;
  return {
    faults: verdict?.faults.map(({ index, field, code }) => `${index}/${field} ${code}`),
    selections: verdict?.selections.map(({ start, end }) => ({ start, end })),
  };
}
const refused = (...faults: string[]) => ({ faults, selections: [] });

test('finds the issuance of serials of the old form, even within a bundle', async () => {
  const scene = inventory.scene();
  const [one, other] = [newGsrn(), newGsrn()];
  const [first, second] = [await issueOld(scene, one), await issueOld(scene, other)];
  expect(await check(scene, [old(other, 4, 6), old(one, 10, 10), old(one, 1, 2)])).toEqual({
    faults: [],
    selections: [named(second, other, 4, 6), named(first, one, 10, 10), named(first, one, 1, 2)],
  });
});

test('checks requests of both generations together, each by its own rules', async () => {
  const { channel, seller, ...rest } = inventory.scene();
  const gsrn = newGsrn();
  const issuanceId = await issueOld({ channel, seller, ...rest }, gsrn);
  const trader = { salesChannelId: channel, traderId: seller };
  const { verdicts } = await inventory.tasks.CheckSelections({
    checks: [
      { ...trader, selections: [named(issuanceId, gsrn, 4, 6)] },
      { ...trader, selections: [old(gsrn, 4, 6)], previousGeneration: true },
      { ...trader, selections: [old(gsrn, 4, 6)] },
    ],
  });
  expect(verdicts.map(({ faults }) => faults.map(({ code }) => code))).toEqual([
    ['bundle-start'],
    [],
    ['serial-form', 'serial-form'],
  ]);
  expect(verdicts[0]?.selections).toEqual([]);
});

test('refuses certificates that are unknown, of others, reserved or retired, with the same fault', async () => {
  const scene = inventory.scene();
  const gsrn = newGsrn();
  const issuanceId = await issueOld(scene, gsrn);
  const held = createIssuance(holderOf(scene.seller), { firstSerial: serialOf(99, 1), lastSerial: serialOf(99, 9) });
  await inventory.applyIssuances(held);
  await inventory.settleTransaction(
    createTrade(scene.seller, scene.buyer, [[issuanceId, serialOf(gsrn, 1), serialOf(gsrn, 2)]], {
      autoApproval: false,
    }),
  );
  await inventory.settleTransaction(
    createRetirement(scene.seller, [[issuanceId, serialOf(gsrn, 3), serialOf(gsrn, 4)]]),
  );
  const unknown = refused('0/start bundle');
  expect(await check(scene, [old(98, 1, 1)])).toEqual(unknown);
  expect(await check(scene, [old(99, 1, 1)])).toEqual(unknown);
  expect(await check(scene, [old(gsrn, 1, 1)])).toEqual(unknown);
  expect(await check(scene, [old(gsrn, 4, 4)])).toEqual(unknown);
  expect(await check(scene, [old(gsrn, 5, 5)], scene.buyer)).toEqual(unknown);
  expect(await check({ ...scene, channel: inventory.scene().channel }, [old(gsrn, 5, 5)])).toEqual(unknown);
  expect((await check(scene, [old(gsrn, 5, 5)])).faults).toEqual([]);
});

test('refuses ranges over two bundles, overlaps and malformed serials', async () => {
  const scene = inventory.scene();
  const gsrn = newGsrn();
  const issuanceId = await issueOld(scene, gsrn);
  await inventory.settleTransaction(
    createTrade(scene.seller, scene.buyer, [[issuanceId, serialOf(gsrn, 1), serialOf(gsrn, 3)]]),
  );
  expect(await check(scene, [old(gsrn, 3, 5)])).toEqual(refused('0/start bundle'));
  expect(await check(scene, [old(gsrn, 1, 5)], scene.buyer)).toEqual(refused('0/end bundle-end'));
  expect(await check(scene, [old(gsrn, 4, 6), old(gsrn, 6, 8)])).toEqual(refused('1/start selection-overlap'));
  expect(await check(scene, [old(gsrn, 6, 5)])).toEqual(refused('0/end selection-order'));
  const leading = { start: `0${serialOf(gsrn, 5)}`, end: serialOf(gsrn, 5) };
  expect(await check(scene, [leading])).toEqual(refused('0/start serial-form'));
  expect(await check(scene, [named(issuanceId, gsrn, 5, 5)])).toEqual(
    refused('0/start serial-form', '0/end serial-form'),
  );
});

test('does not find serials of the new form, which many issuances share', async () => {
  const scene = inventory.scene();
  await scene.issue();
  // Serials of a fixed width of two digits, without a leading GSRN.
  await scene.issue('10', '99');
  expect(await check(scene, [{ start: '1', end: '5' }])).toEqual(refused('0/start bundle'));
  expect(await check(scene, [{ start: '10', end: '12' }])).toEqual(refused('0/start bundle'));
});

test('refuses a range that fits bundles of two issuances, and accepts one that fits one', async () => {
  const scene = inventory.scene();
  const gsrn = newGsrn();
  const [short, long] = [await issueOld(scene, gsrn, 5), await issueOld(scene, gsrn, 10)];
  expect(await check(scene, [old(gsrn, 7, 7), old(gsrn, 2, 4)])).toEqual(refused('1/start ambiguous'));
  expect(await check(scene, [old(gsrn, 2, 6)])).toEqual({ faults: [], selections: [named(long, gsrn, 2, 6)] });
  // Bundles of others do not make it ambiguous, so it reveals nothing about them.
  await inventory.settleTransaction(
    createTrade(scene.seller, scene.buyer, [[long, serialOf(gsrn, 1), serialOf(gsrn, 10)]]),
  );
  expect(await check(scene, [old(gsrn, 2, 4)])).toEqual({ faults: [], selections: [named(short, gsrn, 2, 4)] });
  // Neither do expired bundles.
  const [expired] = [await issueOld(scene, gsrn, 5)];
  await inventory.expire(expired);
  expect(await check(scene, [old(gsrn, 2, 4)])).toEqual({ faults: [], selections: [named(short, gsrn, 2, 4)] });
  await inventory.expire(short);
  expect(await check(scene, [old(gsrn, 2, 4)])).toEqual(refused('0/start expired'));
});

test('looks up a serial by index', async () => {
  const connection = createConnection(inventory.service.databaseUrl);
  await connection.connect();
  await connection.query('set enable_seqscan = off');
  const rows = await connection.run<{ 'QUERY PLAN': string }>(
    sql`explain select from issuance
        where serial_width > 18 and numrange(first_serial, last_serial, '[]') @> 5::numeric`,
  );
  await connection.end();
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('issuance_of_old_serial');
});

test('moves a selection from the middle of a bundle, and keeps the parts around it', async () => {
  const scene = inventory.scene();
  const { seller, buyer } = scene;
  const gsrn = newGsrn();
  const issuanceId = await issueOld(scene, gsrn);
  const part = (first: number, last: number) => [issuanceId, serialOf(gsrn, first), serialOf(gsrn, last)] as const;
  const whole = (first: number, last: number): string => `${serialOf(gsrn, first)}-${serialOf(gsrn, last)}`;
  const request = createTrade(seller, buyer, [part(7, 8), part(3, 4)]);
  expect(await inventory.settle(request)).toMatchObject({ outcome: 'REFUSED' });
  const anywhere = { selectsAnywhere: true } as const;
  const transactionId = await inventory.settleTransaction(
    createTrade(seller, buyer, [part(7, 8), part(3, 4)], anywhere),
  );
  expect(await inventory.listRanges(seller)).toEqual([whole(1, 2), whole(5, 6), whole(9, 10)]);
  expect(await inventory.listRanges(buyer)).toEqual([whole(3, 4), whole(7, 8)]);
  // Lines have their sources, and the bundles of the parts before them.
  const lines = await inventory.service.sql(
    `select line.first - line.source_first as before, line.source_last - line.last as behind,
       bundle.last = line.first - 1 as "isRightBefore"
     from transaction_line as line join bundle on bundle.id = line.before_bundle_id
     where line.transaction_id = $1 order by line.ordinal`,
    [transactionId],
  );
  expect(lines).toEqual([
    { before: '6', behind: '2', isRightBefore: true },
    { before: '2', behind: '2', isRightBefore: true },
  ]);
  const certificate = `${issuanceId}_${serialOf(gsrn, 1)}`;
  const { data } = await inventory.registryGateway.GetCertificateHistory({ certificate }, await asRegistry());
  expect(JSON.parse(data.toString())).toMatchObject([{ type: 'ISSUANCE' }]);
  // The part before a selection is an ordinary bundle.
  await inventory.settleTransaction(createRetirement(seller, [part(1, 2)]));
  await inventory.settleTransaction(createOfframp(seller, [part(10, 10)], anywhere));
  expect(await inventory.listRanges(seller)).toEqual([whole(5, 6), whole(9, 9)]);
});

test('rejecting a reservation in the middle of a bundle merges it with the parts around it', async () => {
  const scene = inventory.scene();
  const gsrn = newGsrn();
  const issuanceId = await issueOld(scene, gsrn);
  const middle = [issuanceId, serialOf(gsrn, 4), serialOf(gsrn, 6)] as const;
  const request = createTrade(scene.seller, scene.buyer, [middle], { selectsAnywhere: true, autoApproval: false });
  const transactionId = await inventory.settleTransaction(request);
  expect(await inventory.listRanges(scene.seller)).toHaveLength(2);
  expect(await inventory.reject(transactionId)).toMatchObject({ status: 'REJECTED' });
  expect(await inventory.listRanges(scene.seller)).toEqual([`${serialOf(gsrn, 1)}-${serialOf(gsrn, 10)}`]);
});

test('each transfer of a batch sees the effects of the preceding ones', async () => {
  const scene = inventory.scene();
  const { seller, buyer } = scene;
  const gsrn = newGsrn();
  const issuanceId = await issueOld(scene, gsrn);
  const sale = (first: number, last: number) =>
    createTrade(seller, buyer, [[issuanceId, serialOf(gsrn, first), serialOf(gsrn, last)]], { selectsAnywhere: true });
  const sales = [sale(5, 6), sale(6, 7), sale(2, 3), sale(3, 8), sale(9, 10), sale(1, 1)] as const;
  await inventory.publish(...sales);
  const outcomes = await Promise.all(sales.map(async ({ taskId }) => (await inventory.waitForReport(taskId)).outcome));
  expect(outcomes).toEqual(['SUCCESS', 'REFUSED', 'SUCCESS', 'REFUSED', 'SUCCESS', 'SUCCESS']);
  expect(await inventory.listRanges(seller)).toEqual([
    `${serialOf(gsrn, 4)}-${serialOf(gsrn, 4)}`,
    `${serialOf(gsrn, 7)}-${serialOf(gsrn, 8)}`,
  ]);
});
