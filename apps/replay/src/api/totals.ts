import { totalOf, volumeOf } from '../file/ranges.ts';
import type { PlannedIssuance } from '../plan/plan.ts';
import type { Api } from './client.ts';

interface Transaction {
  readonly type: 'TRADE' | 'RETIREMENT' | 'OFFRAMP';
  readonly status: string;
  readonly assets: readonly { readonly start: string; readonly volume: number }[];
}

interface Asset {
  readonly issuanceId: string;
  readonly volume: number;
}

/** Certificates by what became of them. */
export interface Volumes {
  readonly retired: bigint;
  readonly offramped: bigint;
  readonly listable: bigint;
}

const noVolumes: Volumes = { retired: 0n, offramped: 0n, listable: 0n };
const fieldOf = { RETIREMENT: 'retired', OFFRAMP: 'offramped' } as const;

/** Serials are `<issuance_id>_<serial>`; an issuance id may itself hold underscores. */
const issuanceOf = (start: string): string => start.slice(0, start.lastIndexOf('_'));

export interface LedgerTotals {
  readonly retired: string;
  readonly offramped: string;
  readonly listable: string;
  /** What differs between the file and the ledger, in words, one issuance a line. */
  readonly disagreements: readonly string[];
}

/** What the ledger says of these issuances: settled retirements and offramps, and what the traders still list. */
async function readLedger(
  api: Api,
  issuances: readonly PlannedIssuance[],
  traders: readonly { readonly id: string }[],
): Promise<Map<string, Volumes>> {
  const ledger = new Map<string, Volumes>(issuances.map(({ issuanceId }) => [issuanceId, noVolumes]));
  const add = (issuanceId: string, field: keyof Volumes, volume: number): void => {
    const volumes = ledger.get(issuanceId);
    if (volumes) ledger.set(issuanceId, { ...volumes, [field]: volumes[field] + BigInt(volume) });
  };
  for (const { type, status, assets } of await api.get<Transaction[]>('/saleschannel-services/v1/transactions')) {
    if (status !== 'SUCCESS' || type === 'TRADE') continue;
    for (const { start, volume } of assets) add(issuanceOf(start), fieldOf[type], volume);
  }
  for (const { id } of traders) {
    const assets = await api.get<Asset[]>(`/saleschannel-services/v1/traders/${encodeURIComponent(id)}/inventory`);
    for (const { issuanceId, volume } of assets) add(issuanceId, 'listable', volume);
  }
  return ledger;
}

/** What the file says of an issuance. */
export function fileVolumes({ batch, steps }: PlannedIssuance): Volumes & { readonly issued: bigint } {
  const sum = (kind: 'retirement' | 'offramp'): bigint =>
    totalOf(steps.filter((step) => step.kind === kind).map(volumeOf));
  const issued = volumeOf(batch.range);
  const [retired, offramped] = [sum('retirement'), sum('offramp')];
  return { issued, retired, offramped, listable: issued - retired - offramped };
}

function disagreements(issuances: readonly PlannedIssuance[], ledger: ReadonlyMap<string, Volumes>): string[] {
  return issuances.flatMap((issuance) => {
    const file = fileVolumes(issuance);
    const { retired, offramped, listable } = ledger.get(issuance.issuanceId) ?? noVolumes;
    const sum = `${retired} retired + ${offramped} offramped + ${listable} listable`;
    const faults = [
      retired === file.retired ? [] : [`retired ${retired}, the file says ${file.retired}`],
      offramped === file.offramped ? [] : [`offramped ${offramped}, the file says ${file.offramped}`],
      retired + offramped + listable === file.issued ? [] : [`${sum} are not the ${file.issued} issued`],
    ].flat();
    return faults.length === 0 ? [] : [`issuance ${issuance.issuanceId}: ${faults.join('; ')}`];
  });
}

/** The ledger's own totals of the issuances of a file, compared with it. */
export async function readTotals(
  api: Api,
  issuances: readonly PlannedIssuance[],
  traders: readonly { readonly id: string }[],
): Promise<LedgerTotals> {
  const ledger = await readLedger(api, issuances, traders);
  const sum = (field: keyof Volumes): string =>
    totalOf([...ledger.values()].map((volumes) => volumes[field])).toString();
  return {
    retired: sum('retired'),
    offramped: sum('offramped'),
    listable: sum('listable'),
    disagreements: disagreements(issuances, ledger),
  };
}
