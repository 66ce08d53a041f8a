import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../../shared/api/client.ts';

export type TransactionSum = Schemas['TransactionSum'];
export type GroupBy = 'month' | 'vintage' | 'methodologyCode';

/** What succeeded in the last twelve months. */
export const useSums = (groupBy: GroupBy): UseQueryResult<readonly TransactionSum[]> =>
  useQuery({
    queryKey: ['sums', groupBy],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/saleschannel-services/v1/transactions/summary', { signal, params: { query: { groupBy } } })),
  });

const types = ['TRADE', 'RETIREMENT', 'OFFRAMP'] as const;

export interface BarGroup {
  readonly key: string;
  /** In the order of trades, retirements, offramps. */
  readonly volumes: readonly [bigint, bigint, bigint];
  readonly volume: bigint;
}

/** One group for each key, in order, with its volumes by type. @param keys those that are shown even without volume */
export function groupsOf(sums: readonly TransactionSum[], keys: readonly string[] = []): BarGroup[] {
  const all = [...new Set([...keys, ...sums.map(({ key }) => key)])].toSorted();
  return all.map((key) => {
    const [trade = 0n, retirement = 0n, offramp = 0n] = types.map((type) =>
      BigInt(sums.find((each) => each.key === key && each.type === type)?.volume ?? 0),
    );
    return { key, volumes: [trade, retirement, offramp], volume: trade + retirement + offramp };
  });
}

const MONTHS = 12;

/** The months of the last year as the API names them, this one last. @param now milliseconds since 1970 */
export function lastMonths(now: number): string[] {
  const today = new Date(now);
  return Array.from({ length: MONTHS }, (_, index) =>
    new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - (MONTHS - 1 - index), 1)).toISOString().slice(0, 7),
  );
}
