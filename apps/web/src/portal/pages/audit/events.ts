import { useInfiniteQuery } from '@tanstack/react-query';
import { answerOf, api, nextCursor, type Schemas } from '../../../shared/api/client.ts';
import type { AuditOrder } from '../../../shared/audit/words.ts';
import { rangeOfDays, type Days } from '../../../shared/format/time.ts';
import { joinedCsv, walk } from './walk.ts';

export type AuditEvent = Schemas['AuditEvent'];

const PAGE = 100;
const EXPORTED_PAGE = 5_000;
/** Of a file. What is beyond comes with other days. */
const PARTS_AT_MOST = 50;

/** What is shown of the trail. */
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

/** An answer without a body has none. */
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

/** A file is never shorter than it says: one that would be is none. */
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

/** Lines as the API wrote them: of a whole trail, oldest first, their hashes can be checked. */
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
