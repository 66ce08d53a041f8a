import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { catchFailure, asRegistry, asUser, callAs, createdOnce, repeatCall } from '@saleschannel/testing';
import { address } from '../src/domain/trader.ts';
import { entity, startTraders, type Traders } from './support/traders.ts';

let traders: Traders;
beforeAll(async () => {
  traders = await startTraders();
});
afterAll(() => traders.stop());

const asAccepter = (salesChannelId: string) => asUser(salesChannelId, ['TRADERONBOARDERPROPOSAL_ACCEPTER']);

test.each(['Accept', 'Reject'] as const)('%s: a proposal is decided once per key', async (decision) => {
  const gateway = await callAs('gateway', 'traders', traders.service.address);
  const salesChannelId = newId();
  const [one, another] = [await traders.proposal(salesChannelId), await traders.proposal(salesChannelId)];
  const repeats = await repeatCall(await asAccepter(salesChannelId), (options, isOther) =>
    gateway[`${decision}Proposal`]({ proposalId: isOther ? another.id : one.id }, options),
  );
  expect(repeats).toEqual(createdOnce(repeats.answers[0]));
  expect(await traders.findSubmitted(another.id)).toMatchObject({ status: 'PENDING' });
  gateway.close();
});

test('a refused decision uses no key', async () => {
  const gateway = await callAs('gateway', 'traders', traders.service.address);
  const salesChannelId = newId();
  const [one, another] = [await traders.proposal(salesChannelId), await traders.proposal(salesChannelId)];
  await traders.reject(salesChannelId, one.id);
  const options = { ...(await asAccepter(salesChannelId)), idempotencyKey: newId() };
  const refused = await catchFailure(gateway.AcceptProposal({ proposalId: one.id }, options));
  expect(refused).toMatchObject({ code: 'request-refused' });
  expect(await gateway.AcceptProposal({ proposalId: another.id }, options)).toMatchObject({ status: 'ACCEPTED' });
  gateway.close();
});

test('a proposal is submitted once per key, even after a rejection or with a new name', async () => {
  const directory = await traders.directory('registry-import');
  const [salesChannelId, accountHolderId, another] = [newId(), newId(), newId()];
  const as = await asRegistry();
  const submitted = { ...entity, salesChannelId, accountHolderId };
  const repeats = await repeatCall(as, (options, isOther) =>
    directory.SubmitProposal({ ...submitted, ...(isOther && { accountHolderId: another }) }, options),
  );
  expect(repeats).toEqual(createdOnce(repeats.answers[0]));
  const options = { ...as, idempotencyKey: newId() };
  const first = await directory.SubmitProposal(submitted, options);
  await traders.reject(salesChannelId, first.id);
  expect(await directory.SubmitProposal({ ...submitted, name: 'Renamed AS' }, options)).toEqual(first);
  expect(await traders.findSubmitted(first.id)).toMatchObject({ status: 'REJECTED', name: entity.name });
  directory.close();
});

test('a user of an account holder submits once per key', async () => {
  const gateway = await traders.directory('registry-import');
  const [salesChannelId, other, accountHolderId] = [newId(), newId(), newId()];
  const repeats = await repeatCall(await asUser(undefined, [], newId(), accountHolderId), (options, isOther) =>
    gateway.SubmitHolderProposal(
      { ...entity, accountHolderId, salesChannelId: isOther ? other : salesChannelId },
      options,
    ),
  );
  expect(repeats).toEqual(createdOnce(repeats.answers[0]));
  gateway.close();
});

const runConcurrently = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

test('50 equal requests with one key create one trader and get equal answers', async () => {
  const channel = newId();
  const idempotencyKey = newId();
  const answers = await runConcurrently(50, () => traders.create(channel, { idempotencyKey }));
  expect(new Set(answers.map(({ trader }) => JSON.stringify(trader))).size).toBe(1);
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect(await traders.list(channel)).toEqual([answers[0]?.trader]);
});

test('50 requests with one key and two different bodies create one trader', async () => {
  const channel = newId();
  const idempotencyKey = newId();
  const outcomes = await runConcurrently(50, (index) =>
    traders.create(channel, { idempotencyKey, name: index % 2 === 0 ? 'even' : 'odd' }).then(
      ({ trader }) => trader?.name,
      (error: { code: string }) => error.code,
    ),
  );
  const [trader] = await traders.list(channel);
  expect(await traders.list(channel)).toHaveLength(1);
  const losing = trader?.name === 'even' ? 1 : 0;
  expect(outcomes).toEqual(
    outcomes.map((_, index) => (index % 2 === losing ? 'idempotency-key-reused' : trader?.name)),
  );
});

test('concurrent patches of different fields all survive', async () => {
  const channel = newId();
  const { trader } = await traders.create(channel, { address: {} });
  const addressMembers = Object.keys(address.shape);
  const patches = [
    { name: 'new' },
    { businessId: 'new' },
    ...addressMembers.map((member) => ({ address: { [member]: 'new' } })),
  ];
  await Promise.all(patches.map((patch) => traders.update(channel, trader.id, patch)));
  expect(await traders.get(channel, trader.id)).toEqual({
    id: trader.id,
    name: 'new',
    businessId: 'new',
    address: Object.fromEntries(addressMembers.map((member) => [member, 'new'])),
  });
});

test('exactly one of a concurrent acceptance and rejection wins', async () => {
  const channel = newId();
  const wins: (string | undefined)[] = [];
  for (let round = 0; round < 20; round++) {
    const { id, accountHolderId } = await traders.proposal(channel);
    const outcomes = await Promise.allSettled([traders.accept(channel, id), traders.reject(channel, id)]);
    const won = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(won).toHaveLength(1);
    expect(lost[0]?.reason).toMatchObject({ code: 'request-refused' });
    const status = won[0]?.value.status;
    wins.push(status);
    const created = await traders.service.sql('select id from trader where account_holder_id = $1', [accountHolderId]);
    expect(created).toHaveLength(status === 'ACCEPTED' ? 1 : 0);
  }
  expect(await traders.list(channel)).toHaveLength(wins.filter((status) => status === 'ACCEPTED').length);
});

test('20 concurrent acceptances create one trader and get equal answers', async () => {
  const channel = newId();
  const { id } = await traders.proposal(channel);
  const answers = await runConcurrently(20, () => traders.accept(channel, id));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect((await traders.list(channel)).map((trader) => trader.id)).toEqual([answers[0]?.onboardedTraderId]);
});

test('20 concurrent submissions create one proposal', async () => {
  const [salesChannelId, accountHolderId] = [newId(), newId()];
  const answers = await runConcurrently(20, () => traders.submit({ salesChannelId, accountHolderId, ...entity }));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(await traders.proposals(salesChannelId)).toEqual([answers[0]]);
});

test('submissions, acceptances and rejections in any order leave a consistent proposal', async () => {
  const channel = newId();
  const { id, accountHolderId } = await traders.proposal(channel);
  const submit = (): Promise<unknown> => traders.submit({ salesChannelId: channel, accountHolderId, ...entity });
  const decide = (index: number): Promise<unknown> =>
    index % 2 === 0 ? traders.reject(channel, id) : traders.accept(channel, id);
  await Promise.allSettled([
    ...Array.from({ length: 10 }, submit),
    ...Array.from({ length: 10 }, (_, index) => decide(index)),
  ]);
  await submit();
  const accepted = await traders.accept(channel, id);
  expect((await traders.list(channel)).map((trader) => trader.id)).toEqual([accepted.onboardedTraderId]);
  expect(await catchFailure(traders.reject(channel, id))).toMatchObject({ code: 'request-refused' });
});
