import { addBundles } from '../../../src/store/many-bundles.ts';
import type { System } from '../../../src/system.ts';
import { issue, onboard } from '../api.ts';

/** Enough bundles for many pages of a list. Measurements use ten times as many. */
export const LARGE_BUNDLES = 10_000;
/** The same in every run, because lists are sorted by issuance ids. */
const ISSUANCE = '7f3d0c1e-5a2b-4e8d-9c61-0d4be7a92f58';
export const FILL_LIMIT_MS = 120_000;

const traders = new WeakMap<System, Promise<string>>();

async function fill(system: System, bundles: number): Promise<string> {
  const holder = await onboard(system, system.channels[0], { name: 'Fjordkull Karbon AS' });
  const { issuanceId } = await issue(system, holder, { issuanceId: ISSUANCE });
  await addBundles(system.findDatabaseUrl('inventory'), issuanceId, bundles - 1);
  return holder.traderId;
}

/** Creates a trader of the first sales channel with this number of bundles. Stories of a file share it. */
export function ensureLargeInventory(system: System, bundles: number): Promise<string> {
  const known = traders.get(system) ?? fill(system, bundles);
  traders.set(system, known);
  return known;
}
