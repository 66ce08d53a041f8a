import type { Names } from '../context.ts';
import type { TransactionView } from '../store/transaction-views.ts';

/** A transaction with what its parties are called. */
export interface NamedTransaction extends TransactionView {
  readonly sellerName: string | null;
  readonly buyerName: string | null;
  readonly salesChannelName: string | null;
}

/** The transaction with names. Whatever has none, or none that the reader may see, has null. */
export function named(transaction: TransactionView, names: Names): NamedTransaction {
  const nameOf = (id: string | null): string | null => (id === null ? null : (names.get(id) ?? null));
  const { sellerId, buyerId, salesChannelId } = transaction;
  return {
    ...transaction,
    sellerName: nameOf(sellerId),
    buyerName: nameOf(buyerId),
    salesChannelName: nameOf(salesChannelId),
  };
}

/** The same for a list, which asks once for what comes together. */
export async function* withNames(
  groups: AsyncIterable<readonly TransactionView[]>,
  ask: (transactions: readonly TransactionView[]) => Promise<Names>,
): AsyncGenerator<NamedTransaction[]> {
  for await (const group of groups) {
    const names = await ask(group);
    yield group.map((transaction) => named(transaction, names));
  }
}
