import { afterAll, beforeAll } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { contractTests, type States } from '@saleschannel/testing/contract-tests';
import { startTraders, entity, type Traders } from './support/traders.ts';

/** States named in the contracts of the consumers of traders. */
const statesOf = (traders: Traders): States => ({
  async 'a channel with an onboarded trader and one without account holder'() {
    const channel = newId();
    const plainName = 'Plain';
    const plain = (await traders.create(channel, { name: plainName })).trader.id;
    const { traderId: onboarded, accountHolderId: holder } = await traders.onboard(channel);
    return { channel, plain, plainName, onboarded, onboardedName: entity.name, holder };
  },
  async 'a trader'() {
    const channel = newId();
    return { channel, trader: (await traders.create(channel)).trader.id };
  },
  async 'a trader of another channel'() {
    const foreign = (await traders.create(newId())).trader.id;
    return { channel: newId(), foreign };
  },
  'an account holder that is nobody’s trader': () => Promise.resolve({ holder: newId() }),
  'an account holder and a channel': () => Promise.resolve({ holder: newId(), channel: newId() }),
  async 'an act on a sales channel, and one of the registry'() {
    return { channel: (await traders.proposal(newId())).salesChannelId };
  },
  async 'a pending proposal'() {
    const { id: proposal, accountHolderId: holder, salesChannelId: channel } = await traders.proposal(newId());
    return { proposal, holder, channel };
  },
});

let traders: Traders;
beforeAll(async () => {
  traders = await startTraders();
});
afterAll(() => traders.stop());

await contractTests('traders', () => ({ service: traders.service, states: statesOf(traders) }));
