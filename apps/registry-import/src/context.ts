import type { Database, Reads } from '@saleschannel/database';
import type { ServiceClient } from '@saleschannel/grpc';
import type { Logger } from '@saleschannel/runtime';

/** Dependencies of the RPCs and the import worker. */
export interface Context {
  readonly database: Database;
  /** Reads of lists. */
  readonly reads: Reads;
  readonly ledger: ServiceClient<'ledger'>;
  /** RPCs of the ledger for users of account holders. */
  readonly holdings: ServiceClient<'holdings'>;
  readonly traders: ServiceClient<'traderDirectory'>;
  readonly rbac: ServiceClient<'bindingDirectory'>;
  /** Allows the sandbox service to create an account holder. */
  readonly isSandbox: boolean;
  readonly logger: Logger;
  readonly lease: LeaseTimes;
  readonly quotas: ImportQuotas;
  /** Wakes the import worker of this process. */
  wakeWorker(): void;
}

export interface LeaseTimes {
  /** Lifetime of a lease of an import or upload that is not renewed. */
  readonly leaseMs: number;
  /** Poll interval for imports that another replica has left. */
  readonly pollMs: number;
}

/** Limits of one import and one key. */
export interface ImportQuotas {
  readonly bytes: number;
  readonly lines: number;
  readonly errorsStored: number;
  /** Unfinished imports of one key. */
  readonly waitingPerKey: number;
}
