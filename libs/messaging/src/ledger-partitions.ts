import { stableHash } from '@saleschannel/primitives';

/**
 * Partitions of the ledger's queue, by issuance (docs/decisions/0026-partitions-of-the-ledger.md). Their number and the
 * partition of an issuance never change. Otherwise two releases side by side would carry out transfers of one issuance
 * in different orders.
 */
export const ledgerPartitions = [0, 1, 2, 3, 4, 5, 6, 7] as const;
export type LedgerPartition = (typeof ledgerPartitions)[number];

export type LedgerQueue = `inventory.transfers.${LedgerPartition}`;

export const ledgerQueue = (partition: LedgerPartition): LedgerQueue => `inventory.transfers.${partition}`;

export const isLedgerPartition = (value: unknown): value is LedgerPartition =>
  ledgerPartitions.some((partition) => partition === value);

/**
 * Returns the partition of a transfer, by the issuance of its first certificate (`<issuance id>_<serial>`), even if it
 * names certificates of several issuances. No service sends a transfer without a certificate.
 * @param used number of partitions in use, from the first on
 */
export function ledgerPartitionOf(firstCertificate: string | undefined, used: number): LedgerPartition {
  if (firstCertificate === undefined) return ledgerPartitions[0];
  const end = firstCertificate.lastIndexOf('_');
  const issuanceId = (end === -1 ? firstCertificate : firstCertificate.slice(0, end)).toLowerCase();
  return ledgerPartitions[stableHash(issuanceId) % used] ?? ledgerPartitions[0];
}
