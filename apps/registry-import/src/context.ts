import type { services } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import type { Client } from '@saleschannel/grpc';
import type { Logger } from '@saleschannel/runtime';

type ClientOf<C> = C extends { types?: { handlers: infer H extends object; definition: infer D } }
  ? Client<H, D>
  : never;

/** What the RPCs and the import worker need. */
export interface Context {
  readonly database: Database;
  readonly ledger: ClientOf<typeof services.ledger>;
  readonly traders: ClientOf<typeof services.traderDirectory>;
  readonly logger: Logger;
  readonly lease: LeaseTimes;
  /** Tells the import worker of this process that there is something to do. */
  wakeWorker(): void;
}

export interface LeaseTimes {
  readonly leaseMs: number;
  readonly pollMs: number;
}
