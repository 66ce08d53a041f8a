import type { States } from '@saleschannel/testing/contract-tests';
import type { Inventory } from './support/inventory.ts';

/** GSRNs, of which serials of the old form consist, and which no other state has. */
let gsrns = 643002406900000000n;

/** The states that consumers of the ledger name in their contracts. */
export function statesOf(inventory: Inventory): States {
  const traderWithCertificates = async (first?: string, last?: string) => {
    const { channel, seller: trader, issue } = inventory.scene();
    const issuance = await issue(first, last);
    return { channel, trader, start: `${issuance}_${first ?? 1}`, end: `${issuance}_${last ?? 10}` };
  };
  return {
    'a trader with certificates': () => traderWithCertificates(),
    async 'a trader with certificates, and others that it has not'() {
      const { start: foreignStart, end: foreignEnd } = await traderWithCertificates();
      return { ...(await traderWithCertificates()), foreignStart, foreignEnd };
    },
    async 'a trader with certificates that were named by serial alone'() {
      gsrns += 1n;
      const [first, last] = [`${gsrns}0000000001`, `${gsrns}0000000010`];
      return { ...(await traderWithCertificates(first, last)), first, last };
    },
  };
}
