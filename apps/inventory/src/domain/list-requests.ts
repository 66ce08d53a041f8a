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
import { holdingStates } from './bundle.ts';
import { isIssuanceId } from './selection.ts';

/** Parsers of parameters of lists and summaries. They throw DomainError 'invalid-request' that names the parameter. */

const types = ['ISSUANCE', 'ONRAMP', 'TRADE', 'RETIREMENT', 'OFFRAMP'] as const;
export const channelTypes = ['TRADE', 'RETIREMENT', 'OFFRAMP'] as const;
const statuses = ['PENDING', 'SUCCESS', 'REJECTED', 'FAILED'] as const;

const registryFilter = z.object({
  type: z.enum(types).optional(),
  status: z.enum(statuses).optional(),
  accountHolderId: id.optional(),
  createdAt: timeRange,
});
const registryLocation = parameters({
  type: 'type',
  status: 'status',
  accountHolderId: 'accountHolderId',
  createdAt: 'createdAt',
});

export const parseRegistryFilter = (request: unknown): z.output<typeof registryFilter> =>
  parse(registryFilter, request, 'The transactions cannot be listed this way.', registryLocation);

const channelFilter = z.object({
  type: z.enum(channelTypes).optional(),
  status: z.enum(statuses).optional(),
  traderId: id.optional(),
  createdAt: timeRange,
  externalReference: referenceFilter.optional(),
  metadata: metadataFilter,
});

/** Attributes every fault to the parameter `$filter`. */
const inFilter = () => ({ parameter: '$filter' });

export const parseChannelFilter = (filter: unknown): z.output<typeof channelFilter> =>
  parse(channelFilter, filter ?? {}, 'The transactions cannot be listed this way.', inFilter);

const statementFilter = z.object({ retiredAt: timeRange, beneficiaryPart: searchText.optional() });

export const parseStatementFilter = (request: unknown): z.output<typeof statementFilter> =>
  parse(statementFilter, request, 'The statements cannot be listed this way.', inFilter);

/** Bounds how much of the ledger a chart reads. */
const MAX_SUMMARY_MONTHS = 36;
const MONTH_MS = 31 * 86_400_000;

const isTimeZone = (name: string): boolean => {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    // PostgreSQL inverts offsets such as +01:00.
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

const summaryLocation = parameters({ groupBy: 'groupBy', timeZone: 'timeZone' });

export const parseSummaryRequest = (request: unknown): z.output<typeof summary> =>
  parse(summary, request, 'The transactions cannot be summarized this way.', summaryLocation);

/**
 * Returns the range of a summary, by default the last twelve months.
 * @throws DomainError 'invalid-request' for more than 36 months
 */
export function resolveSummaryRange({ fromMs, toMs }: TimeRange, now: Date): TimeRange {
  const to = toMs ?? now.getTime();
  const from = fromMs ?? Date.UTC(new Date(to).getUTCFullYear() - 1, new Date(to).getUTCMonth() + 1, 1);
  if (to - from <= MAX_SUMMARY_MONTHS * MONTH_MS) return { fromMs: from, toMs };
  throw invalidRequest('The transactions cannot be summarized this way.', [
    { parameter: '$filter', ...faults.format(`must not span more than ${MAX_SUMMARY_MONTHS} months`) },
  ]);
}

/** An id that no issuance has. Replaces text that is no issuance id, so that the list is empty. */
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

export const parseInventoryFilter = (filter: unknown): z.output<typeof inventoryFilter> =>
  parse(inventoryFilter, filter ?? {}, 'The inventory cannot be listed this way.', inFilter);

const holdingFilter = z.object({
  state: z.enum(holdingStates).optional(),
  salesChannelId: id.optional(),
  vintage: z.int().optional(),
  productionFacilityId: id.optional(),
});

export const parseHoldingFilter = (filter: unknown): z.output<typeof holdingFilter> =>
  parse(holdingFilter, filter ?? {}, 'The holdings cannot be listed this way.', inFilter);

const holderFilter = z.object({
  type: z.enum(types).optional(),
  status: z.enum(statuses).optional(),
  createdAt: timeRange,
});

export const parseHolderFilter = (filter: unknown): z.output<typeof holderFilter> =>
  parse(holderFilter, filter ?? {}, 'The transactions cannot be listed this way.', inFilter);

/** Members that `$expand` adds to the transactions of a list. */
const expansions = ['names', 'reference', 'metadata', 'retirement', 'totals'] as const;
/** References and metadata are notes of the sales channel, which no other reader sees. */
const sharedExpansions = ['names', 'retirement', 'totals'] as const;

export type Expansion = (typeof expansions)[number];

/** Without duplicates, in the order in which members and columns are written. */
export type Expansions = readonly Expansion[];

const expandLocation = parameters({ expand: '$expand' });

const parseExpansions = (known: readonly Expansion[], expand: readonly string[]): Expansions => {
  const schema = z.object({ expand: z.array(z.enum(known)) });
  const names = new Set(
    parse(schema, { expand }, 'The transactions cannot be listed this way.', expandLocation).expand,
  );
  return expansions.filter((expansion) => names.has(expansion));
};

/** Parses `$expand` for the sales channel of the transactions. */
export const parseChannelExpansions = (expand: readonly string[]): Expansions => parseExpansions(expansions, expand);

/** Parses `$expand` for other readers. */
export const parseSharedExpansions = (expand: readonly string[]): Expansions =>
  parseExpansions(sharedExpansions, expand);
