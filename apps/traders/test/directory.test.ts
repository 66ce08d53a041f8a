import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ServiceClient } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { asRegistry, asUser, removeMarkers, callAs, catchFailure } from '@saleschannel/testing';
import {
  entity,
  startTraders,
  SUSPENDED_CHANNEL,
  traderIdOf,
  UNKNOWN_CHANNEL,
  type Traders,
} from './support/traders.ts';

let traders: Traders;
let gateway: ServiceClient<'traders'>;
let registryImport: ServiceClient<'traderDirectory'>;
let inventory: ServiceClient<'traderDirectory'>;
let salesChannelId: string;
let plain: string;
let onboarded: { traderId: string; accountHolderId: string };

beforeAll(async () => {
  traders = await startTraders();
  gateway = await callAs('gateway', 'traders', traders.service.address);
  registryImport = await traders.directory('registry-import');
  inventory = await traders.directory('inventory');
  salesChannelId = newId();
  plain = (await traders.create(salesChannelId)).trader.id;
  onboarded = await traders.onboard(salesChannelId);
});
afterAll(async () => {
  for (const client of [gateway, registryImport, inventory]) client.close();
  await traders.stop();
});

describe('GetParties', () => {
  const getParties = async (
    keys: { salesChannelId: string; traderId: string }[],
    caller: 'tasks' | 'inventory' = 'tasks',
  ) => {
    const client = await traders.directory(caller);
    const { parties } = await client.GetParties({ keys }).finally(() => client.close());
    return parties.map(({ salesChannelId, traderId, accountHolderId }) => ({
      salesChannelId,
      traderId,
      accountHolderId,
    }));
  };

  test.each(['tasks', 'inventory'] as const)(
    'returns traders of a channel and their account holders to %s',
    async (caller) => {
      const parties = await getParties(
        [
          { salesChannelId, traderId: plain },
          { salesChannelId, traderId: onboarded.traderId },
        ],
        caller,
      );
      expect(parties).toHaveLength(2);
      expect(parties).toEqual(
        expect.arrayContaining([
          { salesChannelId, traderId: plain, accountHolderId: undefined },
          { salesChannelId, ...onboarded },
        ]),
      );
    },
  );

  test('leaves out unknown traders and those of other channels', async () => {
    const keys = [
      { salesChannelId, traderId: newId() },
      { salesChannelId: newId(), traderId: plain },
      { salesChannelId, traderId: '' },
      { salesChannelId, traderId: 'a\0b' },
      { salesChannelId: 'a\0b', traderId: plain },
      { salesChannelId, traderId: '\' "\\' },
      { salesChannelId, traderId: plain },
    ];
    expect(await getParties(keys)).toEqual([{ salesChannelId, traderId: plain, accountHolderId: undefined }]);
    expect(await getParties([])).toEqual([]);
  });

  test('answers 10,000 keys and refuses more with invalid-request', async () => {
    const keys = Array.from({ length: 9_999 }, () => ({ salesChannelId, traderId: newId() }));
    expect(await getParties([...keys, { salesChannelId, traderId: plain }])).toHaveLength(1);
    expect(await catchFailure(getParties([...keys, ...keys]))).toMatchObject({ code: 'invalid-request' });
  });
});

describe('FindOnboardedTraders', () => {
  test('finds the trader of an account holder in a channel', async () => {
    const client = await traders.directory('registry-import');
    const { accountHolderId, traderId } = onboarded;
    const keys = [
      { salesChannelId, accountHolderId },
      { salesChannelId: newId(), accountHolderId },
      { salesChannelId, accountHolderId: newId() },
      { salesChannelId, accountHolderId: '' },
      { salesChannelId, accountHolderId: 'a\0b' },
    ];
    expect((await client.FindOnboardedTraders({ keys })).parties).toMatchObject([
      { salesChannelId, traderId, accountHolderId },
    ]);
    expect((await client.FindOnboardedTraders({ keys: [] })).parties).toEqual([]);
    client.close();
  });

  test('finds no trader for a pending or rejected proposal', async () => {
    const client = await traders.directory('registry-import');
    const { id, accountHolderId } = await traders.proposal(salesChannelId);
    const keys = [{ salesChannelId, accountHolderId }];
    expect((await client.FindOnboardedTraders({ keys })).parties).toEqual([]);
    await traders.reject(salesChannelId, id);
    expect((await client.FindOnboardedTraders({ keys })).parties).toEqual([]);
    client.close();
  });

  test('refuses too many keys with invalid-request', async () => {
    const client = await traders.directory('registry-import');
    const keys = Array.from({ length: 10_001 }, () => ({ salesChannelId, accountHolderId: newId() }));
    expect(await catchFailure(client.FindOnboardedTraders({ keys }))).toMatchObject({ code: 'invalid-request' });
    client.close();
  });
});

/** Proposals and traders of one account holder, for its users and for the ledger. */

const asHolder = (accountHolderId: string): Promise<{ principalToken: string }> =>
  asUser(undefined, [], undefined, accountHolderId);

const submit = async (accountHolderId: string, salesChannelId: string, by = accountHolderId) =>
  removeMarkers(
    await registryImport.SubmitHolderProposal({ accountHolderId, salesChannelId, ...entity }, await asHolder(by)),
  );

async function proposalsOf(accountHolderId: string, limit = 100, status?: string) {
  const found: Awaited<ReturnType<typeof submit>>[] = [];
  for (let after: string | undefined, more = true; more;) {
    const page = { limit, offset: 0, ...(after === undefined ? {} : { after }) };
    const request = { page, ...(status === undefined ? {} : { status }) };
    const { proposals, next } = removeMarkers(
      await gateway.PageHolderProposals(request, await asHolder(accountHolderId)),
    );
    found.push(...proposals);
    [after, more] = [next, next !== undefined];
  }
  return found;
}

describe('proposals', () => {
  test('are listed only for their account holder, by status, in pages of any size', async () => {
    const [holder, channels] = [newId(), [newId(), newId(), newId()]];
    const submitted = [];
    for (const channel of channels) submitted.push(await submit(holder, channel));
    await submit(newId(), channels[0] ?? '');
    const accepted = await traders.accept(channels[0] ?? '', submitted[0]?.id ?? '');
    const rejected = await traders.reject(channels[1] ?? '', submitted[1]?.id ?? '');
    const all = [accepted, rejected, submitted[2]];
    for (const limit of [1, 2, 100]) expect(await proposalsOf(holder, limit)).toEqual(all);
    expect(await proposalsOf(holder, 1, 'REJECTED')).toEqual([rejected]);
    expect(await proposalsOf(newId())).toEqual([]);
    expect(await catchFailure(proposalsOf(holder, 1, 'DONE'))).toMatchObject({
      violations: [{ parameter: '$filter' }],
    });
  });

  test('are reopened after a rejection, and otherwise unchanged', async () => {
    const [holder, channel] = [newId(), newId()];
    const proposal = await submit(holder, channel);
    expect(await submit(holder, channel)).toEqual(proposal);
    await traders.reject(channel, proposal.id);
    expect(await submit(holder, channel)).toEqual(proposal);
    const accepted = await traders.accept(channel, proposal.id);
    expect(await submit(holder, channel)).toEqual(accepted);
    expect(await proposalsOf(holder)).toEqual([accepted]);
  });

  test('are one when users and the registry submit concurrently', async () => {
    const [holder, channel] = [newId(), newId()];
    const ids = await Promise.all(
      Array.from({ length: 10 }, async (_, n) =>
        n % 2 === 0
          ? (await submit(holder, channel)).id
          : (await traders.proposal(channel, { accountHolderId: holder })).id,
      ),
    );
    expect(new Set(ids).size).toBe(1);
    expect(await proposalsOf(holder)).toHaveLength(1);
  });

  test('need an existing channel and a user of the account holder', async () => {
    const holder = newId();
    const refused = (code: string) => ({ violations: [{ pointer: '#/salesChannelId', code }] });
    expect(await catchFailure(submit(holder, UNKNOWN_CHANNEL))).toMatchObject(refused('unknown-sales-channel'));
    expect(await catchFailure(submit(holder, SUSPENDED_CHANNEL))).toMatchObject(refused('sales-channel-suspended'));
    expect(await catchFailure(submit(holder, newId(), 'another'))).toMatchObject({ code: 'not-found' });
    const request = { accountHolderId: holder, salesChannelId: newId(), ...entity };
    for (const options of [await asUser(newId(), []), await asRegistry(holder)])
      expect(await catchFailure(registryImport.SubmitHolderProposal(request, options))).toMatchObject({
        code: 'forbidden',
      });
    expect(await proposalsOf(holder)).toEqual([]);
  });

  test('are in the audit trails of the registry and the channel, with the user who submitted them', async () => {
    const [holder, channel] = [newId(), newId()];
    const { id } = await submit(holder, channel);
    const events = await traders.service.sql<{ scope: string; event: string }>(
      'select scope, event from audit_event where event like $1',
      [`%${id}%`],
    );
    const actors = events.map(({ scope, event }) => [scope, (JSON.parse(event) as { actor: object }).actor] as const);
    expect(Object.fromEntries(actors)).toEqual({
      registry: { kind: 'user', id: expect.any(String), accountHolderId: holder },
      [channel]: { kind: 'user' },
    });
  });
});

describe('traders of an account holder', () => {
  test('result from its accepted proposals, and have names', async () => {
    const [holder, mine, other] = [newId(), newId(), newId()];
    const keys = [];
    for (const salesChannelId of [mine, other]) {
      const { id } = await submit(holder, salesChannelId);
      keys.push({ salesChannelId, traderId: traderIdOf(await traders.accept(salesChannelId, id)) });
    }
    await submit(holder, newId());
    const { parties } = await inventory.FindTradersOfHolder({ accountHolderId: holder });
    expect(parties.map((party) => removeMarkers(party))).toEqual(
      keys.map((key) => ({ ...key, accountHolderId: holder })),
    );
    expect((await inventory.FindTradersOfHolder({ accountHolderId: newId() })).parties).toEqual([]);
    expect(await catchFailure(inventory.FindTradersOfHolder({ accountHolderId: '' }))).toMatchObject({
      code: 'not-found',
    });
    const plain = { salesChannelId: mine, traderId: (await traders.create(mine, { name: 'Plain' })).trader.id };
    const requested = [...keys, plain, { salesChannelId: other, traderId: plain.traderId }];
    const named = (await inventory.DescribeParties({ keys: requested })).parties;
    expect(named.map((party) => removeMarkers(party))).toEqual(
      expect.arrayContaining([
        ...keys.map((key) => ({ ...key, name: entity.name, accountHolderId: holder })),
        { ...plain, name: 'Plain' },
      ]),
    );
    expect(named).toHaveLength(3);
  });

  test.each(['gateway', 'tasks', 'registry-import', 'admin'] as const)('are hidden from %s', async (caller) => {
    const client = await traders.directory(caller);
    expect(await catchFailure(client.FindTradersOfHolder({ accountHolderId: 'h' }))).toMatchObject({
      code: 'forbidden',
    });
    expect(await catchFailure(client.DescribeParties({ keys: [] }))).toMatchObject({ code: 'forbidden' });
    client.close();
  });
});
