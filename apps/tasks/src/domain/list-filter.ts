import { id, metadataFilter, parse, referenceFilter, timeRange } from '@saleschannel/primitives/validation';
import { z } from 'zod';

/** What a list of tasks is filtered by, as it comes. */

const taskFilter = z.object({
  type: z.enum(['TRADE', 'RETIREMENT', 'OFFRAMP']).optional(),
  status: z.enum(['PENDING', 'SUCCESS', 'FAILED', 'REJECTED']).optional(),
  traderId: id.optional(),
  createdAt: timeRange,
  externalReference: referenceFilter.optional(),
  metadata: metadataFilter,
});

/** All conditions that are present hold at once. */
export type TaskFilter = z.output<typeof taskFilter>;

/** Every fault is one of the parameter `$filter`. */
const inFilter = () => ({ parameter: '$filter' });

/** @throws DomainError 'invalid-request' that names the parameter */
export const readTaskFilter = (filter: unknown): TaskFilter =>
  parse(taskFilter, filter ?? {}, 'The tasks cannot be listed this way.', inFilter);
