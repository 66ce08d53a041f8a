import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { catchFailure } from '@saleschannel/testing';
import {
  entity,
  startTraders,
  SUSPENDED_CHANNEL,
  traderIdOf,
  UNKNOWN_CHANNEL,
  type Traders,
} from './support/traders.ts';

let traders: Traders;
beforeAll(async () => {
  traders = await startTraders();
});
afterAll(() => traders.stop());

const NOT_FOUND = { code: 'not-found', message: 'The resource does not exist or is not visible to you.' };

describe('SubmitProposal', () => {
  test('creates a pending proposal', async () => {
    const [salesChannelId, accountHolderId] = [newId(), newId()];
    const proposal = await traders.submit({ salesChannelId, accountHolderId, ...entity });
    expect(proposal).toMatchObject({
      name: entity.name,
      businessId: entity.businessId,
      status: 'PENDING',
      salesChannelId,
      accountHolderId,
    });
    expect(proposal.onboardedTraderId).toBeUndefined();
    expect(await traders.proposals(salesChannelId)).toEqual([proposal]);
    expect(await traders.list(salesChannelId)).toEqual([]);
  });

  test('an account holder has one proposal per channel', async () => {
    const [one, other, accountHolderId] = [newId(), newId(), newId()];
    const first = await traders.submit({ salesChannelId: one, accountHolderId, ...entity });
    const second = await traders.submit({ salesChannelId: other, accountHolderId, ...entity });
    expect(second.id).not.toBe(first.id);
  });

  test('returns a pending proposal unchanged', async () => {
    const salesChannelId = newId();
    const first = await traders.proposal(salesChannelId);
    expect(await traders.submit({ ...first, ...entity, name: 'Another AS' })).toEqual(first);
  });

  test('returns an accepted proposal unchanged', async () => {
    const salesChannelId = newId();
    const { id, accountHolderId } = await traders.proposal(salesChannelId);
    const accepted = await traders.accept(salesChannelId, id);
    expect(await traders.submit({ accountHolderId, salesChannelId, ...entity, name: 'Another AS' })).toEqual(accepted);
  });

  test('reopens a rejected proposal with the current data of the account holder', async () => {
    const salesChannelId = newId();
    const { id, accountHolderId } = await traders.proposal(salesChannelId);
    await traders.reject(salesChannelId, id);
    const again = await traders.submit({
      accountHolderId,
      salesChannelId,
      name: 'New AS',
      businessId: 'NO-2',
      address: { city: 'Bergen' },
    });
    expect(again).toMatchObject({ id, accountHolderId, status: 'PENDING', name: 'New AS', businessId: 'NO-2' });
    expect(again.onboardedTraderId).toBeUndefined();
    const traderId = traderIdOf(await traders.accept(salesChannelId, id));
    expect(await traders.get(salesChannelId, traderId)).toEqual({
      id: traderId,
      name: 'New AS',
      businessId: 'NO-2',
      address: { city: 'Bergen' },
    });
  });

  test('two joined street lines of an account holder fit', async () => {
    const salesChannelId = newId();
    const street = `${'x'.repeat(1_000)}, ${'y'.repeat(1_000)}`;
    const { id } = await traders.proposal(salesChannelId, { address: { street } });
    const traderId = traderIdOf(await traders.accept(salesChannelId, id));
    expect((await traders.get(salesChannelId, traderId)).address).toEqual({ street });
  });

  test('request-refused: a suspended channel', async () => {
    expect(await catchFailure(traders.proposal(SUSPENDED_CHANNEL))).toMatchObject({
      code: 'request-refused',
      violations: [{ pointer: '#/salesChannelId', code: 'sales-channel-suspended' }],
    });
  });

  test('request-refused: an unknown channel', async () => {
    const error = await catchFailure(traders.proposal(UNKNOWN_CHANNEL));
    expect(error).toMatchObject({
      code: 'request-refused',
      violations: [{ pointer: '#/salesChannelId', code: 'unknown-sales-channel' }],
    });
  });

  test.each([
    [{ accountHolderId: '' }, '#/accountHolderId'],
    [{ accountHolderId: '\0' }, '#/accountHolderId'],
    [{ salesChannelId: '' }, '#/salesChannelId'],
    [{ salesChannelId: '\0' }, '#/salesChannelId'],
    [{ name: '' }, '#/name'],
    [{ name: 'x'.repeat(201) }, '#/name'],
    [{ businessId: '' }, '#/businessId'],
    [{ address: { city: '\0' } }, '#/address/city'],
  ])('invalid-request: %j', async (fields, pointer) => {
    expect(await catchFailure(traders.proposal(newId(), fields))).toMatchObject({
      code: 'invalid-request',
      violations: [{ pointer }],
    });
  });
});

describe('AcceptProposal', () => {
  test('creates a trader for the account holder', async () => {
    const salesChannelId = newId();
    const proposal = await traders.proposal(salesChannelId);
    const accepted = await traders.accept(salesChannelId, proposal.id);
    const { onboardedTraderId } = accepted;
    expect(accepted).toEqual({ ...proposal, status: 'ACCEPTED', onboardedTraderId: expect.any(String) });
    expect(await traders.list(salesChannelId)).toEqual([{ id: onboardedTraderId, ...entity }]);
    const directory = await traders.directory('registry-import');
    const { parties } = await directory.FindOnboardedTraders({
      keys: [{ salesChannelId, accountHolderId: proposal.accountHolderId }],
    });
    expect(parties).toMatchObject([
      { salesChannelId, traderId: onboardedTraderId, accountHolderId: proposal.accountHolderId },
    ]);
    directory.close();
  });

  test('returns the same when repeated', async () => {
    const salesChannelId = newId();
    const { id } = await traders.proposal(salesChannelId);
    const accepted = await traders.accept(salesChannelId, id);
    expect(await traders.accept(salesChannelId, id)).toEqual(accepted);
    expect(await traders.list(salesChannelId)).toHaveLength(1);
  });

  test('request-refused: a rejected proposal, until it is submitted again', async () => {
    const salesChannelId = newId();
    const { id, accountHolderId } = await traders.proposal(salesChannelId);
    await traders.reject(salesChannelId, id);
    expect(await catchFailure(traders.accept(salesChannelId, id))).toMatchObject({
      code: 'request-refused',
      violations: [{ code: 'already-rejected' }],
    });
    expect((await traders.proposals(salesChannelId))[0]?.status).toBe('REJECTED');
    expect(await traders.list(salesChannelId)).toEqual([]);
    await traders.submit({ accountHolderId, salesChannelId, ...entity });
    expect((await traders.accept(salesChannelId, id)).status).toBe('ACCEPTED');
  });

  test("not-found: an unknown proposal, and equally another channel's", async () => {
    const salesChannelId = newId();
    const { id } = await traders.proposal(salesChannelId);
    for (const proposalId of [newId(), '', 'a\0b', "'"])
      expect(await catchFailure(traders.accept(salesChannelId, proposalId))).toMatchObject(NOT_FOUND);
    expect(await catchFailure(traders.accept(newId(), id))).toMatchObject(NOT_FOUND);
    expect((await traders.proposals(salesChannelId))[0]?.status).toBe('PENDING');
  });
});

describe('RejectProposal', () => {
  test('rejects a proposal, with a placeholder for the trader', async () => {
    const salesChannelId = newId();
    const { id } = await traders.proposal(salesChannelId);
    const rejected = await traders.reject(salesChannelId, id);
    expect(rejected).toMatchObject({ id, status: 'REJECTED', onboardedTraderId: 'NOT_ONBOARDED' });
    expect(await traders.proposals(salesChannelId)).toEqual([rejected]);
    expect(await traders.list(salesChannelId)).toEqual([]);
  });

  test('returns the same when repeated', async () => {
    const salesChannelId = newId();
    const { id } = await traders.proposal(salesChannelId);
    const rejected = await traders.reject(salesChannelId, id);
    expect(await traders.reject(salesChannelId, id)).toEqual(rejected);
  });

  test('request-refused: an accepted proposal', async () => {
    const salesChannelId = newId();
    const { id } = await traders.proposal(salesChannelId);
    const accepted = await traders.accept(salesChannelId, id);
    expect(await catchFailure(traders.reject(salesChannelId, id))).toMatchObject({
      code: 'request-refused',
      violations: [{ code: 'already-accepted' }],
    });
    expect(await traders.proposals(salesChannelId)).toEqual([accepted]);
  });

  test("not-found: an unknown proposal, and equally another channel's", async () => {
    const salesChannelId = newId();
    const { id } = await traders.proposal(salesChannelId);
    for (const proposalId of [newId(), '', 'a\0b', "'"])
      expect(await catchFailure(traders.reject(salesChannelId, proposalId))).toMatchObject(NOT_FOUND);
    expect(await catchFailure(traders.reject(newId(), id))).toMatchObject(NOT_FOUND);
    expect((await traders.proposals(salesChannelId))[0]?.status).toBe('PENDING');
  });
});

describe('ListProposals', () => {
  test("returns the channel's proposals in the order of submission", async () => {
    const salesChannelId = newId();
    const submitted = [];
    for (const name of ['c', 'a', 'b']) submitted.push(await traders.proposal(salesChannelId, { name }));
    await traders.proposal(newId());
    expect(await traders.proposals(salesChannelId)).toEqual(submitted);
    expect(await traders.proposals(newId())).toEqual([]);
  });

  test('returns more than a page', async () => {
    const channel = newId();
    await traders.service.sql(
      `insert into proposal (id, sales_channel_id, account_holder_id, business_id, name, address)
       select 'c-' || i, $1, 'c-' || i, i, 'n', '{}' from generate_series(1, 1201) i`,
      [channel],
    );
    const expected = Array.from({ length: 1_201 }, (_, index) => String(index + 1));
    expect((await traders.proposals(channel)).map(({ businessId }) => businessId)).toEqual(expected);
  });
});

test('the database refuses inconsistent decisions', async () => {
  const salesChannelId = newId();
  const { id } = await traders.proposal(salesChannelId);
  const { trader } = await traders.create(salesChannelId);
  const refused = async (changes: string): Promise<string | undefined> =>
    (await catchFailure(traders.service.sql(`update proposal set ${changes} where id = $1`, [id]))).code;
  expect(await refused(`status = 'ACCEPTED', decided_at = now()`)).toBe('23514');
  expect(await refused(`status = 'REJECTED'`)).toBe('23514');
  expect(await refused(`status = 'UNDECIDED'`)).toBe('23514');
  // A trader of another account holder.
  expect(await refused(`status = 'ACCEPTED', decided_at = now(), trader_id = '${trader.id}'`)).toBe('23503');
});
