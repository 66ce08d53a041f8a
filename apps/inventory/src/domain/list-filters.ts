import { id, parameters, parse, timeRange } from '@saleschannel/validation';
import { z } from 'zod';
import { holdingStates } from './holding.ts';
import { isIssuanceId } from './selection.ts';

/** What lists are filtered by, as it comes. */

const types = ['ISSUANCE', 'ONRAMP', 'TRADE', 'RETIREMENT', 'OFFRAMP'] as const;
const typesOfChannel = ['TRADE', 'RETIREMENT', 'OFFRAMP'] as const;
const statuses = ['PENDING', 'SUCCESS', 'REJECTED', 'FAILED'] as const;

const registryFilter = z.object({
  type: z.enum(types).optional(),
  status: z.enum(statuses).optional(),
  accountHolderId: id.optional(),
  createdAt: timeRange,
});
const registryPlace = parameters({
  type: 'type',
  status: 'status',
  accountHolderId: 'accountHolderId',
  createdAt: 'createdAt',
});

/** @throws DomainError 'invalid-request' that names the parameter */
export const readRegistryFilter = (asked: unknown): z.output<typeof registryFilter> =>
  parse(registryFilter, asked, 'The transactions cannot be listed this way.', registryPlace);

const channelFilter = z.object({
  type: z.enum(typesOfChannel).optional(),
  status: z.enum(statuses).optional(),
  traderId: id.optional(),
  createdAt: timeRange,
});

/** Every fault is one of the parameter `$filter`. */
const inFilter = () => ({ parameter: '$filter' });

/** @throws DomainError 'invalid-request' that names the parameter */
export const readChannelFilter = (filter: unknown): z.output<typeof channelFilter> =>
  parse(channelFilter, filter ?? {}, 'The transactions cannot be listed this way.', inFilter);

/** An issuance that no text can name is none: nothing is listed. */
const NO_ISSUANCE = '00000000-0000-0000-0000-000000000000';

const inventoryFilter = z.object({
  issuanceId: z
    .string()
    .transform((text) => (isIssuanceId(text) ? text : NO_ISSUANCE))
    .optional(),
  vintage: z.int().optional(),
  productionFacilityId: id.optional(),
  methodologyCode: id.optional(),
});

/** @throws DomainError 'invalid-request' that names the parameter */
export const readInventoryFilter = (filter: unknown): z.output<typeof inventoryFilter> =>
  parse(inventoryFilter, filter ?? {}, 'The inventory cannot be listed this way.', inFilter);

const holdingFilter = z.object({
  state: z.enum(holdingStates).optional(),
  salesChannelId: id.optional(),
  vintage: z.int().optional(),
  productionFacilityId: id.optional(),
});

/** @throws DomainError 'invalid-request' that names the parameter */
export const readHoldingFilter = (filter: unknown): z.output<typeof holdingFilter> =>
  parse(holdingFilter, filter ?? {}, 'The holdings cannot be listed this way.', inFilter);

const holderFilter = z.object({
  type: z.enum(types).optional(),
  status: z.enum(statuses).optional(),
  createdAt: timeRange,
});

/** @throws DomainError 'invalid-request' that names the parameter */
export const readHolderFilter = (filter: unknown): z.output<typeof holderFilter> =>
  parse(holderFilter, filter ?? {}, 'The transactions cannot be listed this way.', inFilter);
