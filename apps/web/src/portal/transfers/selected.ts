import { sumVolumes } from '../../shared/format/serials.ts';
import { useStoredState } from '../../shared/session/stored.ts';

/** A bundle at the time of its selection. */
export interface SelectedBundle {
  readonly start: string;
  readonly end: string;
  readonly volume: number;
}

export interface Selected {
  readonly bundles: readonly SelectedBundle[];
  readonly volume: bigint;
  has(bundle: SelectedBundle): boolean;
  toggle(bundle: SelectedBundle): void;
  clear(): void;
}

export const selectionKey = (traderId: string): string => `selected:${traderId}`;

/** Selected bundles of a trader, in order of selection, kept across reloads. */
export function useSelected(traderId: string): Selected {
  const [bundles, setBundles] = useStoredState<readonly SelectedBundle[]>(selectionKey(traderId), () => []);
  const has = ({ start }: SelectedBundle): boolean => bundles.some((bundle) => bundle.start === start);
  return {
    bundles,
    volume: sumVolumes(bundles.map(({ volume }) => volume)),
    has,
    toggle({ start, end, volume }) {
      const others = bundles.filter((bundle) => bundle.start !== start);
      setBundles(others.length < bundles.length ? others : [...bundles, { start, end, volume }]);
    },
    clear: () => setBundles([]),
  };
}
