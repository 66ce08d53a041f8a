import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, unwrapData, type Schemas } from '../../../shared/api/client.ts';

export type TransactionSum = Schemas['TransactionSum'];
export type GroupBy = 'month' | 'vintage' | 'methodologyCode';

/** Completed volumes of the last twelve months. */
export const useSums = (groupBy: GroupBy): UseQueryResult<readonly TransactionSum[]> =>
  useQuery({
    queryKey: ['sums', groupBy],
    queryFn: ({ signal }) =>
      unwrapData(api.GET('/saleschannel-services/v1/transactions/summary', { signal, params: { query: { groupBy } } })),
  });

const types = ['TRADE', 'RETIREMENT', 'OFFRAMP'] as const;

interface BarGroup {
  readonly key: string;
  /** Trades, retirements and offramps, in this order. */
  readonly volumes: readonly [bigint, bigint, bigint];
  readonly volume: bigint;
}

/** One group per key, sorted, with volumes by type. @param keys included even without volume */
export function groupSums(sums: readonly TransactionSum[], keys: readonly string[] = []): BarGroup[] {
  const all = [...new Set([...keys, ...sums.map(({ key }) => key)])].toSorted();
  return all.map((key) => {
    const [trade = 0n, retirement = 0n, offramp = 0n] = types.map((type) =>
      BigInt(sums.find((each) => each.key === key && each.type === type)?.volume ?? 0),
    );
    return { key, volumes: [trade, retirement, offramp], volume: trade + retirement + offramp };
  });
}

const MONTHS = 12;

/** The last twelve months in API format, current month last. @param now milliseconds since 1970 */
export function listLastMonths(now: number): string[] {
  const today = new Date(now);
  return Array.from({ length: MONTHS }, (_, index) =>
    new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - (MONTHS - 1 - index), 1)).toISOString().slice(0, 7),
  );
}

const SCALE = 10_000n;
/** Percent. Non-zero volumes stay visible. */
const LEAST = 0.5;

/** Offsets and widths of bar segments, in percent of the largest bar. */
export function layOutSegments(
  volumes: readonly bigint[],
  largest: bigint,
): { readonly from: number; readonly width: number }[] {
  let from = 0;
  return volumes.map((volume) => {
    const width = volume === 0n ? 0 : Math.max(LEAST, Number((volume * SCALE) / largest) / 100);
    const part = { from: Math.min(from, 100 - width), width };
    from += width;
    return part;
  });
}
