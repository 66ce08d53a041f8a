import { useInfiniteQuery } from '@tanstack/react-query';
import { answerOf, api, nextCursor, type Schemas } from '../../../shared/api/client.ts';
import type { AuditOrder } from '../../../shared/audit/words.ts';
import { rangeOfDays, type Days } from '../../../shared/format/time.ts';

type Members = Readonly<Record<string, unknown>> | null;

const LENGTH_AT_MOST = 160;
const NOTHING = '–';

const told = (value: unknown): string =>
  value === undefined || value === null ? NOTHING : typeof value === 'string' ? value : JSON.stringify(value);

/** Changed members: `name: A → B`, or `name: B` for a new one. */
export function changesOf(before: Members, after: Members): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const changed = names.flatMap((name) => {
    const [from, to] = [told(before?.[name]), told(after?.[name])];
    if (from === to) return [];
    return from === NOTHING ? [`${name}: ${to}`] : [`${name}: ${from} → ${to}`];
  });
  const text = changed.join('; ');
  return text.length <= LENGTH_AT_MOST ? text : `${text.slice(0, LENGTH_AT_MOST)}…`;
}

interface Part {
  readonly text: string;
  /** Cursor of the next part. Undefined for the last one. */
  readonly next: string | undefined;
}

interface Walked {
  readonly texts: readonly string[];
  /** False if the list exceeds the limit. */
  readonly isWhole: boolean;
}

/** Reads a list part by part, to its end or up to the limit. An empty part ends it. */
export async function walk(read: (after: string | undefined) => Promise<Part>, partsAtMost: number): Promise<Walked> {
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
export const joinedCsv = (texts: readonly string[]): string =>
  texts.map((text, at) => (at === 0 ? text : text.slice(text.indexOf('\r\n') + 2))).join('');

export type AuditEvent = Schemas['AuditEvent'];

const PAGE = 100;
const EXPORTED_PAGE = 5_000;
/** Limit per file. Users split larger exports by date. */
const PARTS_AT_MOST = 50;

/** Filters and order of the trail. */
export interface Wanted extends Days {
  readonly order: AuditOrder;
  readonly action: string | undefined;
  readonly actor: string | undefined;
}

const queryFor = (wanted: Wanted, limit: number, after: string | undefined) => ({
  ...rangeOfDays(wanted),
  limit,
  order: wanted.order,
  ...(wanted.action !== undefined && { action: wanted.action }),
  ...(wanted.actor !== undefined && { actor: wanted.actor }),
  ...(after !== undefined && { after }),
});

/** An empty response body has no data. */
const textOf = (data: unknown): string => (typeof data === 'string' ? data : String());

export const useAuditEvents = (wanted: Wanted) =>
  useInfiniteQuery({
    queryKey: ['audit', wanted],
    initialPageParam: undefined as string | undefined,
    async queryFn({ pageParam: after, signal }) {
      const query = queryFor(wanted, PAGE, after);
      const options = { signal, params: { query } };
      const { data, headers } = await answerOf(api.GET('/user-services/audit-events', options));
      return { events: data.data, next: nextCursor(headers.get('Link')) };
    },
    getNextPageParam: ({ next }) => next,
  });

/** Throws instead of returning a truncated file. */
function wholeOf(
  { texts, isWhole }: { readonly texts: readonly string[]; readonly isWhole: boolean },
  tooLong: string,
) {
  if (!isWhole) throw new Error(tooLong);
  return texts;
}

export async function loadCsv(wanted: Wanted, tooLong: string): Promise<Blob> {
  const walked = await walk(async (after) => {
    const query = queryFor(wanted, PAGE, after);
    const options = { headers: { Accept: 'text/csv' }, parseAs: 'text', params: { query } } as const;
    const { data, headers } = await answerOf(api.GET('/user-services/audit-events', options));
    return { text: textOf(data), next: nextCursor(headers.get('Link')) };
  }, PARTS_AT_MOST);
  return new Blob([joinedCsv(wholeOf(walked, tooLong))], { type: 'text/csv' });
}

/** Lines as returned by the API. The hashes of a whole trail, oldest first, can be verified. */
export async function loadLines(wanted: Wanted, tooLong: string): Promise<Blob> {
  const walked = await walk(async (after) => {
    const query = queryFor(wanted, EXPORTED_PAGE, after);
    const options = {
      headers: { Accept: 'application/x-ndjson' },
      parseAs: 'text',
      params: { query },
    } as const;
    const { data, headers } = await answerOf(api.GET('/user-services/audit-events/export', options));
    return { text: textOf(data), next: nextCursor(headers.get('Link')) };
  }, PARTS_AT_MOST);
  return new Blob([...wholeOf(walked, tooLong)], { type: 'application/x-ndjson' });
}
