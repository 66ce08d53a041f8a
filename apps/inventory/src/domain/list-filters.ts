import { invalidRequest } from '@saleschannel/errors';
import {
  fault,
  faults,
  id,
  metadataFilter,
  parameters,
  parse,
  referenceFilter,
  searchText,
  timeRange,
  type TimeRange,
} from '@saleschannel/primitives/validation';
import { z } from 'zod';
import { holdingStates } from './holding.ts';
import { isIssuanceId } from './selection.ts';

/** What lists are filtered by, as it comes. */

const types = ['ISSUANCE', 'ONRAMP', 'TRADE', 'RETIREMENT', 'OFFRAMP'] as const;
export const typesOfChannel = ['TRADE', 'RETIREMENT', 'OFFRAMP'] as const;
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
  externalReference: referenceFilter.optional(),
  metadata: metadataFilter,
});

/** Every fault is one of the parameter `$filter`. */
const inFilter = () => ({ parameter: '$filter' });

/** @throws DomainError 'invalid-request' that names the parameter */
export const readChannelFilter = (filter: unknown): z.output<typeof channelFilter> =>
  parse(channelFilter, filter ?? {}, 'The transactions cannot be listed this way.', inFilter);

const statementFilter = z.object({ retiredAt: timeRange, beneficiaryPart: searchText.optional() });

/** @throws DomainError 'invalid-request' that names the parameter */
export const readStatementFilter = (asked: unknown): z.output<typeof statementFilter> =>
  parse(statementFilter, asked, 'The statements cannot be listed this way.', inFilter);

/** Longer ranges would read more of the ledger than a chart is worth. */
const SUMMARY_MONTHS_AT_MOST = 36;
const MONTH_MS = 31 * 86_400_000;

const isTimeZone = (name: string): boolean => {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    // Offsets such as +01:00 mean the opposite to PostgreSQL.
    return /^[A-Za-z]/.test(timeZone);
  } catch {
    return false;
  }
};

const summary = z.object({
  groupBy: z.enum(['month', 'vintage', 'methodologyCode']),
  timeZone: z.string().transform((name, context) => {
    if (name === '') return 'UTC';
    if (isTimeZone(name)) return name;
    context.issues.push(fault(faults.pattern('must be a time zone of the IANA database, such as Europe/Oslo'), name));
    return z.NEVER;
  }),
});

const summaryPlace = parameters({ groupBy: 'groupBy', timeZone: 'timeZone' });

/** How transactions are summed up. @throws DomainError 'invalid-request' that names the parameter */
export const readSummary = (asked: unknown): z.output<typeof summary> =>
  parse(summary, asked, 'The transactions cannot be summed up this way.', summaryPlace);

/**
 * The range of time that a summary is of: the last twelve months unless it is said.
 * @throws DomainError 'invalid-request' for more than 36 months
 */
export function rangeOfSummary({ fromMs, toMs }: TimeRange, now: Date): TimeRange {
  const to = toMs ?? now.getTime();
  const from = fromMs ?? Date.UTC(new Date(to).getUTCFullYear() - 1, new Date(to).getUTCMonth() + 1, 1);
  if (to - from <= SUMMARY_MONTHS_AT_MOST * MONTH_MS) return { fromMs: from, toMs };
  throw invalidRequest('The transactions cannot be summed up this way.', [
    { parameter: '$filter', ...faults.format(`must not span more than ${SUMMARY_MONTHS_AT_MOST} months`) },
  ]);
}

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
