import { parseCertificateRef, countCertificates } from '@saleschannel/primitives';
import { z } from 'zod';
import { sumVolumes } from '../file/ranges.ts';
import type { PlannedIssuance } from '../plan/steps.ts';
import type { Api } from './client.ts';

const transactionsSchema = z.array(
  z.object({
    type: z.enum(['TRADE', 'RETIREMENT', 'OFFRAMP']),
    status: z.string(),
    assets: z.array(z.object({ start: z.string(), volume: z.int() })),
  }),
);
const inventorySchema = z.array(z.object({ issuanceId: z.string(), volume: z.int() }));

/** Certificates by final state. */
interface Volumes {
  readonly retired: bigint;
  readonly offramped: bigint;
  readonly listable: bigint;
}

const NO_VOLUMES: Volumes = { retired: 0n, offramped: 0n, listable: 0n };
/** Effect of a successful transaction. Traded certificates remain listable. */
const volumeNames = { TRADE: undefined, RETIREMENT: 'retired', OFFRAMP: 'offramped' } as const;

/** Ledger totals of the file's issuances, which may exceed the range of a number. */
export interface LedgerTotals {
  readonly retired: string;
  readonly offramped: string;
  readonly listable: string;
  /** Differences between file and ledger, one issuance per line. */
  readonly disagreements: readonly string[];
}

/** Compares the ledger's totals of the issuances with the file. @throws UnreachableError, RefusedError */
export async function readTotals(
  api: Api,
  issuances: readonly PlannedIssuance[],
  traderIds: readonly string[],
): Promise<LedgerTotals> {
  const ledger = await readLedger(api, issuances, traderIds);
  const sum = (name: keyof Volumes): string =>
    sumVolumes([...ledger.values()].map((volumes) => volumes[name])).toString();
  return {
    retired: sum('retired'),
    offramped: sum('offramped'),
    listable: sum('listable'),
    disagreements: issuances.flatMap((issuance) =>
      findDisagreements(issuance, ledger.get(issuance.issuanceId) ?? NO_VOLUMES),
    ),
  };
}

/** Volumes of an issuance in the file. */
export function sumFileVolumes({ batch, steps }: PlannedIssuance): Volumes & { readonly issued: bigint } {
  const sum = (kind: 'retirement' | 'offramp'): bigint =>
    sumVolumes(steps.filter((step) => step.kind === kind).map(countCertificates));
  const issued = countCertificates(batch.range);
  const [retired, offramped] = [sum('retirement'), sum('offramp')];
  return { issued, retired, offramped, listable: issued - retired - offramped };
}

/** Volumes in the ledger: successful retirements and offramps, and the traders' listable bundles. */
async function readLedger(
  api: Api,
  issuances: readonly PlannedIssuance[],
  traderIds: readonly string[],
): Promise<Map<string, Volumes>> {
  const ledger = new Map<string, Volumes>(issuances.map(({ issuanceId }) => [issuanceId, NO_VOLUMES]));
  const add = (issuanceId: string, name: keyof Volumes, volume: number): void => {
    const volumes = ledger.get(issuanceId);
    if (volumes) ledger.set(issuanceId, { ...volumes, [name]: volumes[name] + BigInt(volume) });
  };
  const transactions = await api.get('/saleschannel-services/v1/transactions', transactionsSchema);
  for (const { type, status, assets } of transactions) {
    const name = volumeNames[type];
    if (status !== 'SUCCESS' || !name) continue;
    for (const { start, volume } of assets) {
      const certificate = parseCertificateRef(start);
      if (certificate) add(certificate.issuanceId, name, volume);
    }
  }
  for (const traderId of traderIds) {
    const path = `/saleschannel-services/v1/traders/${encodeURIComponent(traderId)}/inventory`;
    for (const { issuanceId, volume } of await api.get(path, inventorySchema)) add(issuanceId, 'listable', volume);
  }
  return ledger;
}

function findDisagreements(issuance: PlannedIssuance, { retired, offramped, listable }: Volumes): string[] {
  const file = sumFileVolumes(issuance);
  const sum = `${retired} retired + ${offramped} offramped + ${listable} listable`;
  const faults = [
    retired === file.retired ? [] : `retired ${retired}, but ${file.retired} in the file`,
    offramped === file.offramped ? [] : `offramped ${offramped}, but ${file.offramped} in the file`,
    retired + offramped + listable === file.issued ? [] : `${sum} differ from ${file.issued} issued`,
  ].flat();
  return faults.length === 0 ? [] : [`issuance ${issuance.issuanceId}: ${faults.join('; ')}`];
}
