import type { Schemas } from '../../../shared/api/client.ts';
import { states, type State } from './filter.ts';

export interface Total {
  readonly state: State;
  readonly bundles: number;
  readonly volume: bigint;
}

/** How much there is in each state, in the order of a bundle's life. States without any are left out. */
export function totalsOf(holdings: readonly Pick<Schemas['Holding'], 'state' | 'volume'>[]): Total[] {
  return states.flatMap((state) => {
    const found = holdings.filter((holding) => holding.state === state);
    const volume = found.reduce((total, holding) => total + BigInt(holding.volume), 0n);
    return found.length === 0 ? [] : [{ state, bundles: found.length, volume }];
  });
}
