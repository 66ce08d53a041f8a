import { stableHash } from '@saleschannel/primitives';

/**
 * Partitions of the ledger's queue, by issuance (docs/decisions/0026-partitions-of-the-ledger.md). Their number, and
 * the partition of an issuance, are the same in every release: otherwise two releases side by side would carry out
 * transfers of one issuance in two orders.
 */
export const ledgerPartitions = [0, 1, 2, 3, 4, 5, 6, 7] as const;
export type LedgerPartition = (typeof ledgerPartitions)[number];

export type LedgerQueue = `inventory.transfers.${LedgerPartition}`;

export const ledgerQueue = (partition: LedgerPartition): LedgerQueue => `inventory.transfers.${partition}`;

export const isLedgerPartition = (value: unknown): value is LedgerPartition =>
  ledgerPartitions.some((partition) => partition === value);

/**
 * The partition of a transfer, by the first certificate that it names (`<issuance id>_<serial>`). A transfer of several
 * issuances belongs to that of the first one. None is named by what no service sends.
 * @param used how many of the partitions are used, from the first on
 */
export function ledgerPartitionOf(firstCertificate: string | undefined, used: number): LedgerPartition {
  if (firstCertificate === undefined) return ledgerPartitions[0];
  const end = firstCertificate.lastIndexOf('_');
  const issuanceId = (end === -1 ? firstCertificate : firstCertificate.slice(0, end)).toLowerCase();
  return ledgerPartitions[stableHash(issuanceId) % used] ?? ledgerPartitions[0];
}
