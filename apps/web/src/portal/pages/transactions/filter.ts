import type { Schemas } from '../../../shared/api/client.ts';
import { toTimeCondition } from '../../../shared/format/time.ts';

export const filterNames = ['type', 'status', 'trader', 'reference', 'from', 'to'] as const;
export type Filters = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

/** API filter. Days include their last moment; invalid days are ignored. */
export function toApiFilter(filters: Filters): Schemas['TransactionFilter'] | undefined {
  const { type, status, trader, reference, from, to } = filters;
  const createdAt = toTimeCondition({ from, to });
  const filter = {
    ...(type === undefined ? {} : { type: { eq: type } }),
    ...(status === undefined ? {} : { status: { eq: status } }),
    ...(trader === undefined ? {} : { traderId: { eq: trader } }),
    ...(reference === undefined ? {} : { externalReference: { eq: reference } }),
    ...(createdAt && { createdAt }),
  };
  return Object.keys(filter).length === 0 ? undefined : (filter as Schemas['TransactionFilter']);
}
