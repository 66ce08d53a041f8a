import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import {
  asRegistry,
  asUser,
  removeMarkers,
  callAs,
  catchFailure,
  createdOnce,
  repeatCall,
} from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory, type Scene } from './support/inventory.ts';
import { createIssuance, type Issuance } from './support/issuances.ts';
import { holderOf, createTrade } from './support/transfers.ts';

let inventory: Inventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterEach(() => audit(inventory.service));
afterAll(() => inventory.stop());

/** Creates a trade that needs approval. */
const reserve = async ({ seller, buyer, ...scene }: Scene): Promise<string> =>
  inventory.settleTransaction(
    createTrade(seller, buyer, [[await scene.issue(), 1, 4]], {
      autoApproval: false,
      accountHolderId: holderOf(seller),
    }),
  );

const decisions = [
  ['Approve', 'SUCCESS'],
  ['Reject', 'REJECTED'],
] as const;

test.each(decisions)('%s: the registry decides once per key', async (decision, status) => {
  const gateway = await callAs('gateway', 'ledger', inventory.service.address);
  const scene = inventory.scene();
  const [one, another] = [await reserve(scene), await reserve(scene)];
  const repeats = await repeatCall(await asRegistry(), (options, isOther) =>
    gateway[`${decision}Transaction`]({ transactionId: isOther ? another : one }, options),
  );
  expect(repeats).toEqual(createdOnce(repeats.answers[0]));
  expect(JSON.parse(String(repeats.answers[0]?.data))).toMatchObject({ transactionId: one, status });
  const waiting = await gateway.GetRegistryTransaction({ transactionId: another }, await asRegistry());
  expect(JSON.parse(String(waiting.data))).toMatchObject({ status: 'PENDING' });
  gateway.close();
});

test.each(decisions)('%s: a seller decides once per key', async (decision, status) => {
  const gateway = await callAs('gateway', 'holdings', inventory.service.address);
  const scene = inventory.scene();
  const [one, another] = [await reserve(scene), await reserve(scene)];
  const as = await asUser(undefined, [], newId(), holderOf(scene.seller));
  const repeats = await repeatCall(as, (options, isOther) =>
    gateway[`${decision}HolderTransaction`]({ transactionId: isOther ? another : one }, options),
  );
  expect(repeats).toEqual(createdOnce(repeats.answers[0]));
  expect(JSON.parse(String(repeats.answers[0]?.data))).toMatchObject({ transactionId: one, status });
  gateway.close();
});

test('a refused decision leaves the key unused', async () => {
  const gateway = await callAs('gateway', 'ledger', inventory.service.address);
  const scene = inventory.scene();
  const [one, another] = [await reserve(scene), await reserve(scene)];
  await gateway.RejectTransaction({ transactionId: one }, await asRegistry());
  const options = { ...(await asRegistry()), idempotencyKey: newId() };
  const refused = await catchFailure(gateway.ApproveTransaction({ transactionId: one }, options));
  expect(refused).toMatchObject({ code: 'request-refused' });
  const approved = await gateway.ApproveTransaction({ transactionId: another }, options);
  expect(JSON.parse(String(approved.data))).toMatchObject({ status: 'SUCCESS' });
  gateway.close();
});

const toReply = (outcome: string, replayed: boolean) => ({ results: [{ outcome }], replayed });

test('an issuance is created once per key, and a repeat returns the first outcome', async () => {
  const registryImport = await callAs('registry-import', 'ledger', inventory.service.address);
  const [issuance, another] = [createIssuance('h1'), createIssuance('h1')];
  const issue = async (sent: Issuance, digest: string, key = 'k-1') =>
    removeMarkers(
      await registryImport.ApplyIssuances(
        { issuances: [sent], actor: { kind: 'operator' }, repeatable: { scope: 'holder/h1', key, digest } },
        {},
      ),
    );
  const answers = await Promise.all(Array.from({ length: 5 }, () => issue(issuance, 'd1')));
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  for (const { results } of answers) expect(results).toMatchObject([{ outcome: 'OUTCOME_CREATED' }]);
  expect(await issue(issuance, 'd1')).toMatchObject(toReply('OUTCOME_CREATED', true));
  expect(await catchFailure(issue(another, 'd2'))).toMatchObject({ code: 'idempotency-key-reused' });
  const contradiction = { ...issuance, vintage: 2020 };
  expect(await catchFailure(issue(contradiction, 'd3', 'k-2'))).toMatchObject({ code: 'request-refused' });
  expect(await issue(another, 'd2', 'k-2')).toMatchObject(toReply('OUTCOME_CREATED', false));
  registryImport.close();
});
