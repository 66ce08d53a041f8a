import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { asRegistry, asUser, callAs, catchFailure, createdOnce, repeatCall } from '@saleschannel/testing';
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
