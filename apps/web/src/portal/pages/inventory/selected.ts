import { useState } from 'react';
import { sum } from '../../../shared/format/serials.ts';
import type { Bundle } from './bundles.ts';

export interface Selected {
  readonly count: number;
  readonly volume: bigint;
  has(bundle: Bundle): boolean;
  toggle(bundle: Bundle): void;
  clear(): void;
}

/** The selected bundles by their first certificate, with what each of them holds. */
export function useSelected(): Selected {
  const [volumes, setVolumes] = useState<ReadonlyMap<string, number>>(new Map());
  return {
    count: volumes.size,
    volume: sum(volumes.values()),
    has: ({ start }) => volumes.has(start),
    toggle({ start, volume }) {
      const next = new Map(volumes);
      if (!next.delete(start)) next.set(start, volume);
      setVolumes(next);
    },
    clear: () => setVolumes(new Map()),
  };
}
