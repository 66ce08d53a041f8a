import { useInfiniteQuery } from '@tanstack/react-query';
import { unwrapResponse, api, nextCursor, type Schemas } from '../../../shared/api/client.ts';
import type { AuditOrder } from '../../../shared/audit/actions.ts';
import { toTimeRange, type Days } from '../../../shared/format/time.ts';

type Members = Readonly<Record<string, unknown>> | null;

const LENGTH_AT_MOST = 160;
const NOTHING = '–';

const formatValue = (value: unknown): string =>
  value === undefined || value === null ? NOTHING : typeof value === 'string' ? value : JSON.stringify(value);

/** Changed members: `name: A → B`, or `name: B` for a new member. */
export function describeChanges(before: Members, after: Members): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const changed = names.flatMap((name) => {
    const [from, to] = [formatValue(before?.[name]), formatValue(after?.[name])];
    if (from === to) return [];
    return from === NOTHING ? [`${name}: ${to}`] : [`${name}: ${from} → ${to}`];
  });
  const text = changed.join('; ');
  return text.length <= LENGTH_AT_MOST ? text : `${text.slice(0, LENGTH_AT_MOST)}…`;
}

interface Part {
  readonly text: string;
  /** Cursor of the next part. Undefined for the last part. */
  readonly next: string | undefined;
}

interface ListContent {
  readonly texts: readonly string[];
  /** False if the list exceeds the limit. */
  readonly isWhole: boolean;
}

/** Reads a list part by part, to its end or up to the limit. An empty part ends it. */
export async function readParts(
  read: (after: string | undefined) => Promise<Part>,
  partsAtMost: number,
): Promise<ListContent> {
  const texts: string[] = [];
  let after: string | undefined;
  while (texts.length < partsAtMost) {
    const { text, next } = await read(after);
    if (text === '') return { texts, isWhole: true };
    texts.push(text);
    if (next === undefined) return { texts, isWhole: true };
    after = next;
  }
  return { texts, isWhole: false };
}

/** Joins CSV files, keeping only the first header. */
export const joinCsv = (texts: readonly string[]): string =>
  texts.map((text, at) => (at === 0 ? text : text.slice(text.indexOf('\r\n') + 2))).join('');

export type AuditEvent = Schemas['AuditEvent'];

const PAGE = 100;
const EXPORTED_PAGE = 5_000;
/** Limit per file. Users split larger exports by date. */
const PARTS_AT_MOST = 50;

/** Filters and order of the trail. */
export interface AuditFilters extends Days {
  readonly order: AuditOrder;
  readonly action: string | undefined;
  readonly actor: string | undefined;
}

const buildQuery = (filters: AuditFilters, limit: number, after: string | undefined) => ({
  ...toTimeRange(filters),
  limit,
  order: filters.order,
  ...(filters.action !== undefined && { action: filters.action }),
  ...(filters.actor !== undefined && { actor: filters.actor }),
  ...(after !== undefined && { after }),
});

/** An empty response body has no data. */
const bodyText = (data: unknown): string => (typeof data === 'string' ? data : String());

export const useAuditEvents = (filters: AuditFilters) =>
  useInfiniteQuery({
    queryKey: ['audit', filters],
    initialPageParam: undefined as string | undefined,
    async queryFn({ pageParam: after, signal }) {
      const query = buildQuery(filters, PAGE, after);
      const options = { signal, params: { query } };
      const { data, headers } = await unwrapResponse(api.GET('/user-services/audit-events', options));
      return { events: data.data, next: nextCursor(headers.get('Link')) };
    },
    getNextPageParam: ({ next }) => next,
  });

/** Throws instead of returning a truncated file. */
function requireWhole(
  { texts, isWhole }: { readonly texts: readonly string[]; readonly isWhole: boolean },
  tooLong: string,
) {
  if (!isWhole) throw new Error(tooLong);
  return texts;
}

export async function loadCsv(filters: AuditFilters, tooLong: string): Promise<Blob> {
  const content = await readParts(async (after) => {
    const query = buildQuery(filters, PAGE, after);
    const options = { headers: { Accept: 'text/csv' }, parseAs: 'text', params: { query } } as const;
    const { data, headers } = await unwrapResponse(api.GET('/user-services/audit-events', options));
    return { text: bodyText(data), next: nextCursor(headers.get('Link')) };
  }, PARTS_AT_MOST);
  return new Blob([joinCsv(requireWhole(content, tooLong))], { type: 'text/csv' });
}

/** Lines as returned by the API. The hashes of a whole trail, oldest first, can be verified. */
export async function loadLines(filters: AuditFilters, tooLong: string): Promise<Blob> {
  const content = await readParts(async (after) => {
    const query = buildQuery(filters, EXPORTED_PAGE, after);
    const options = { headers: { Accept: 'application/x-ndjson' }, parseAs: 'text', params: { query } } as const;
    const { data, headers } = await unwrapResponse(api.GET('/user-services/audit-events/export', options));
    return { text: bodyText(data), next: nextCursor(headers.get('Link')) };
  }, PARTS_AT_MOST);
  return new Blob([...requireWhole(content, tooLong)], { type: 'application/x-ndjson' });
}
