import { newId } from '@saleschannel/primitives';
import type { States } from '@saleschannel/testing/contract-tests';
import type { Traders } from './support/traders.ts';

/** The states that consumers of traders name in their contracts. */
export const statesOf = (traders: Traders): States => ({
  async 'a channel with an onboarded trader and one without account holder'() {
    const channel = newId();
    const plain = (await traders.create(channel, { name: 'Plain' })).trader.id;
    const { traderId: onboarded, accountHolderId: holder } = await traders.onboard(channel);
    return { channel, plain, onboarded, holder };
  },
  async 'a trader of another channel'() {
    const foreign = (await traders.create(newId())).trader.id;
    return { channel: newId(), foreign };
  },
});
