import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { catchFailure } from '@saleschannel/testing';
import { startTraders, type Traders } from './support/traders.ts';

let traders: Traders;
let salesChannelId: string;
let plain: string;
let onboarded: { traderId: string; accountHolderId: string };

beforeAll(async () => {
  traders = await startTraders();
  salesChannelId = newId();
  plain = (await traders.create(salesChannelId)).trader.id;
  onboarded = await traders.onboard(salesChannelId);
});
afterAll(() => traders.stop());

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
