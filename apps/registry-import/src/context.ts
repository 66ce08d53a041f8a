import type { Database, Reads } from '@saleschannel/database';
import type { ServiceClient } from '@saleschannel/grpc';
import type { Logger } from '@saleschannel/runtime';

/** What the RPCs and the import worker work with. */
export interface Context {
  readonly database: Database;
  /** For lists. */
  readonly reads: Reads;
  readonly ledger: ServiceClient<'ledger'>;
  /** The same ledger, for users of account holders. */
  readonly holdings: ServiceClient<'holdings'>;
  readonly traders: ServiceClient<'traderDirectory'>;
  readonly rbac: ServiceClient<'bindingDirectory'>;
  /** The sandbox makes itself an account holder. */
  readonly isSandbox: boolean;
  readonly logger: Logger;
  readonly lease: LeaseTimes;
  readonly quotas: ImportQuotas;
  /** Tells the import worker of this process that there is something to do. */
  wakeWorker(): void;
}

export interface LeaseTimes {
  /** How long an upload or an import belongs to a replica that does not renew its lease. */
  readonly leaseMs: number;
  /** The time between looks for imports that another replica has left. */
  readonly pollMs: number;
}

/** What one import, and one key, may take. */
export interface ImportQuotas {
  readonly bytes: number;
  readonly lines: number;
  readonly errorsStored: number;
  /** Imports of one key that are not finished. */
  readonly waitingPerKey: number;
}
