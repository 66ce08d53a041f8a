import { useInfiniteQuery } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../../../shared/api/client.ts';
import { nextCursor } from '../../../shared/api/paging.ts';
import { rangeOfDays, type Days } from '../../../shared/format/days.ts';
import { joinedCsv, walk } from './walk.ts';

export type AuditEvent = Schemas['AuditEvent'];

const PAGE = 100;
const EXPORTED_PAGE = 5_000;
/** Of a file. What is beyond comes with other days. */
const PARTS_AT_MOST = 50;

/** An answer without a body has none. */
const textOf = (data: unknown): string => (typeof data === 'string' ? data : String());

export const useAuditEvents = (days: Days) =>
  useInfiniteQuery({
    queryKey: ['audit', days.from ?? null, days.to ?? null],
    initialPageParam: undefined as string | undefined,
    async queryFn({ pageParam: after, signal }) {
      const query = { ...rangeOfDays(days), limit: PAGE, ...(after !== undefined && { after }) };
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

export async function loadCsv(days: Days, tooLong: string): Promise<Blob> {
  const walked = await walk(async (after) => {
    const query = { ...rangeOfDays(days), limit: PAGE, ...(after !== undefined && { after }) };
    const options = { headers: { Accept: 'text/csv' }, parseAs: 'text', params: { query } } as const;
    const { data, headers } = await answerOf(api.GET('/user-services/audit-events', options));
    return { text: textOf(data), next: nextCursor(headers.get('Link')) };
  }, PARTS_AT_MOST);
  return new Blob([joinedCsv(wholeOf(walked, tooLong))], { type: 'text/csv' });
}

/** Lines as the API wrote them: their hashes hold. */
export async function loadLines(days: Days, tooLong: string): Promise<Blob> {
  const walked = await walk(async (after) => {
    const query = { ...rangeOfDays(days), limit: EXPORTED_PAGE, ...(after !== undefined && { after }) };
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
