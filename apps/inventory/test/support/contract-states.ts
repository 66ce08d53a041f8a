import { randomUUID } from 'node:crypto';
import { newId } from '@saleschannel/primitives';
import type { States } from '@saleschannel/testing/contract-tests';
import type { Inventory } from './inventory.ts';
import { FACILITY, issuanceOf } from './issuances.ts';
import { holderOf } from './transfers.ts';

/** GSRNs, of which serials of the old form consist, and which no other state has. */
let gsrns = 643002406900000000n;
/** Codes of facilities that there are not. */
let codes = 0;
const newCode = (): string => `C${String((codes += 1)).padStart(5, '0')}`;

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
    'a code of no production facility': () => Promise.resolve({ holder: newId(), code: newCode() }),
    'a production facility': () => Promise.resolve({ holder: newId(), code: FACILITY }),
    'a production facility, and an id of no issuance': () =>
      Promise.resolve({ holder: newId(), code: FACILITY, issuance: randomUUID() }),
    'a code of no production facility, and an id of no issuance': () =>
      Promise.resolve({ holder: newId(), code: newCode(), issuance: randomUUID() }),
    async 'an account holder with certificates and a trader'() {
      const { channel, seller: trader } = inventory.scene();
      const issuance = issuanceOf(holderOf(trader));
      await inventory.applyIssuances(issuance);
      const [start, end] = [`${issuance.issuanceId}_1`, `${issuance.issuanceId}_5`];
      return { holder: holderOf(trader), channel, trader, start, end, key: newId() };
    },
    'an account holder that has moved nothing': () =>
      Promise.resolve({ holder: newId(), channel: newId(), key: newId() }),
  };
}
