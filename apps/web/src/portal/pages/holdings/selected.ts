import { useState } from 'react';
import { sum } from '../../../shared/format/serials.ts';
import type { Holding } from './holdings.ts';

type Range = Pick<Holding, 'start' | 'end' | 'volume'>;

export interface Selected {
  readonly ranges: readonly Range[];
  readonly volume: bigint;
  has(range: Range): boolean;
  toggle(range: Range): void;
  clear(): void;
}

/** The selected bundles, whatever the list shows meanwhile. */
export function useSelected(): Selected {
  const [ranges, setRanges] = useState<ReadonlyMap<string, Range>>(new Map());
  return {
    ranges: [...ranges.values()],
    volume: sum([...ranges.values()].map(({ volume }) => volume)),
    has: ({ start }) => ranges.has(start),
    toggle({ start, end, volume }) {
      const next = new Map(ranges);
      if (!next.delete(start)) next.set(start, { start, end, volume });
      setRanges(next);
    },
    clear: () => setRanges(new Map()),
  };
}
