import type { Schemas } from '../../../shared/api/client.ts';
import { contractFilter as channelFilter } from '../transactions/filter.ts';

export const filterNames = ['type', 'status', 'from', 'to'] as const;
export type Filters = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

/** The filter of the contract: the same as that of a sales channel, but that no trader is chosen. */
export const contractFilter = (filters: Filters): Schemas['HolderTransactionFilter'] | undefined =>
  channelFilter(filters) as Schemas['HolderTransactionFilter'] | undefined;
