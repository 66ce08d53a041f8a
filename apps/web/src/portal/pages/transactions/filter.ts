import type { Schemas } from '../../../shared/api/client.ts';
import { createdOn } from '../../../shared/format/days.ts';

export const filterNames = ['type', 'status', 'trader', 'from', 'to'] as const;
export type Filters = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

/** The filter of the contract. Days include their last moment. What no day can be is left out. */
export function contractFilter({ type, status, trader, from, to }: Filters): Schemas['TransactionFilter'] | undefined {
  const createdAt = createdOn({ from, to });
  const filter = {
    ...(type === undefined ? {} : { type: { eq: type } }),
    ...(status === undefined ? {} : { status: { eq: status } }),
    ...(trader === undefined ? {} : { traderId: { eq: trader } }),
    ...(createdAt && { createdAt }),
  };
  return Object.keys(filter).length === 0 ? undefined : (filter as Schemas['TransactionFilter']);
}
