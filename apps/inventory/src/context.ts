import type { Database, LookUp, Reads } from '@saleschannel/database';
import type { Call } from '@saleschannel/grpc';
import type { Clock } from '@saleschannel/primitives';
import type { TraderOfHolder } from './domain/bundle.ts';
import type { Reconciler } from './operations/reconcile.ts';
import type { StatementSigner } from './domain/statement.ts';
import type { TransactionKey, TransactionView } from './store/transaction-views.ts';

/** Sales channel and traders of a transaction. */
export interface Parties {
  readonly salesChannelId: string;
  readonly traderIds: readonly string[];
}

export type Suspension = 'sales channel' | 'account holder';

/** Ids of a transaction that have names. */
export interface PartyIds {
  readonly salesChannelId: string | null;
  readonly sellerId: string | null;
  readonly buyerId: string | null;
}

/** Names of traders, sales channels and account holders, by id. */
export type Names = ReadonlyMap<string, string>;

/** Dependencies of the RPCs. */
export interface Context {
  readonly database: Database;
  /** Reads lists in pages. */
  readonly reads: Reads;
  readonly findTransactionOfChannel: LookUp<TransactionKey, TransactionView>;
  readonly clock: Clock;
  /** Signs statements. */
  readonly signer: StatementSigner;
  /** Marks statements of a sandbox as such, under their signature, so that none can pass for a real statement. */
  readonly isSandbox: boolean;
  /** Tells whether the trader belongs to the sales channel. */
  isTrader(salesChannelId: string, traderId: string, within: Call): Promise<boolean>;
  /** Looks up the names of traders of the sales channel. */
  findTraderNames(
    salesChannelId: string,
    traderIds: readonly string[],
    within: Call,
  ): Promise<(id: string) => { readonly id: string; readonly name: string }>;
  readonly reconciler: Pick<Reconciler, 'run'>;
  /** Finds a suspension of the sales channel, or of an account holder of its traders. */
  findSuspension(parties: Parties, within: Call): Promise<Suspension | undefined>;
  /** Finds the traders of an account holder. */
  findTradersOfHolder(accountHolderId: string, within: Call): Promise<readonly TraderOfHolder[]>;
  /** Looks up the names of parties that an account holder may see. */
  findNamesForHolder(accountHolderId: string, transactions: readonly PartyIds[], within: Call): Promise<Names>;
  /** Looks up the names of traders for the sales channel of the transactions. */
  findNamesForChannel(transactions: readonly PartyIds[], within: Call): Promise<Names>;
  /** Looks up the names of the parties' account holders for the registry, which sees no names of traders. */
  findNamesForRegistry(transactions: readonly PartyIds[], within: Call): Promise<Names>;
}
