import type { Database, LookUp, Reads } from '@saleschannel/database';
import type { Call } from '@saleschannel/grpc';
import type { Clock } from '@saleschannel/primitives';
import type { TraderOfHolder } from './domain/holding.ts';
import type { Reconciler } from './operations/reconcile.ts';
import type { StatementSigner } from './signing/statement-keys.ts';
import type { TransactionOfChannel, TransactionView } from './store/transaction-views.ts';

/** Of whom a transaction is. */
export interface Parties {
  readonly salesChannelId: string;
  readonly traderIds: readonly string[];
}

export type Suspension = 'sales channel' | 'account holder';

/** What of a transaction has a name. */
export interface NamedIds {
  readonly salesChannelId: string | null;
  readonly sellerId: string | null;
  readonly buyerId: string | null;
}

/** What traders, sales channels and account holders are called, by id. */
export type Names = ReadonlyMap<string, string>;

/** What the RPCs work with. */
export interface Context {
  readonly database: Database;
  /** For lists. */
  readonly reads: Reads;
  readonly findTransactionOfChannel: LookUp<TransactionOfChannel, TransactionView>;
  readonly clock: Clock;
  /** Of statements. */
  readonly signer: StatementSigner;
  /** Statements of a sandbox say so. */
  readonly isSandbox: boolean;
  /** Whether the trader belongs to the sales channel. */
  isTrader(salesChannelId: string, traderId: string, within: Call): Promise<boolean>;
  /** What traders of the sales channel are called. */
  nameTraders(
    salesChannelId: string,
    traderIds: readonly string[],
    within: Call,
  ): Promise<(id: string) => { readonly id: string; readonly name: string }>;
  readonly reconciler: Pick<Reconciler, 'run'>;
  /** What is suspended of a sales channel and the account holders behind its traders. Undefined when nothing is. */
  findSuspension(parties: Parties, within: Call): Promise<Suspension | undefined>;
  /** The traders that an account holder has become. */
  tradersOf(accountHolderId: string, within: Call): Promise<readonly TraderOfHolder[]>;
  /** For an account holder: what the parties of transactions are called that it may see. */
  name(accountHolderId: string, transactions: readonly NamedIds[], within: Call): Promise<Names>;
  /** For the sales channel of the transactions: what its traders are called. */
  nameForChannel(transactions: readonly NamedIds[], within: Call): Promise<Names>;
  /** For the registry: what the account holders behind the parties are called. It knows no other trader by name. */
  nameForRegistry(transactions: readonly NamedIds[], within: Call): Promise<Names>;
}
