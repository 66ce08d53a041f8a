import { id, metadataFilter, parse, referenceFilter, timeRange } from '@saleschannel/primitives/validation';
import { z } from 'zod';

const taskFilter = z.object({
  type: z.enum(['TRADE', 'RETIREMENT', 'OFFRAMP']).optional(),
  status: z.enum(['PENDING', 'SUCCESS', 'FAILED', 'REJECTED']).optional(),
  traderId: id.optional(),
  createdAt: timeRange,
  externalReference: referenceFilter.optional(),
  metadata: metadataFilter,
});

/** A task must meet every condition present. */
export type TaskFilter = z.output<typeof taskFilter>;

const locateInFilter = () => ({ parameter: '$filter' });

/** @throws DomainError 'invalid-request' that names the parameter */
export const parseTaskFilter = (filter: unknown): TaskFilter =>
  parse(taskFilter, filter ?? {}, 'The tasks cannot be listed this way.', locateInFilter);
