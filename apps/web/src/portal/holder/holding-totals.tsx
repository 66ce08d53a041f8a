import type { ReactNode } from 'react';
import { digits, tonnes } from '../../shared/format/numbers.ts';
import { translated } from '../../shared/i18n/messages.ts';
import { Read } from '../../shared/ui/state.tsx';
import { Status, type Tone } from '../../shared/ui/status.tsx';
import type { Filters, State } from './holding-filter.ts';
import { ADDED_UP_AT_MOST, useTotals } from './totals.ts';
import styles from './holding-totals.module.css';

const text = translated({
  UNLISTED: 'unlisted',
  LISTED: 'listed',
  RESERVED: 'reserved',
  RETIRED: 'retired',
  OFFRAMPED: 'offramped',
  totals: 'Totals',
  inBundles: (count: string) => (count === '1' ? 'in 1 bundle' : `in ${count} bundles`),
  tooMany: (count: string) => `More than ${count} bundles fit, too many to add up here. Filter them, or take the CSV.`,
});

const tones: Readonly<Partial<Record<State, Tone>>> = { LISTED: 'ok', RESERVED: 'wait' };

export const stateWord = (state: State): string => text[state];

export const HoldingState = ({ state }: { readonly state: State }) => (
  <Status tone={tones[state]}>{stateWord(state)}</Status>
);

interface HoldingTotalsProps {
  readonly filters: Filters;
  /** Where there is nothing to add up. */
  readonly empty?: ReactNode;
}

/** How much an account holder has of what fits, by state. */
export function HoldingTotals({ filters, empty }: HoldingTotalsProps) {
  return (
    <Read of={useTotals(filters)}>
      {(totals) => {
        if (totals === null) return <p>{text.tooMany(digits(ADDED_UP_AT_MOST))}</p>;
        if (totals.length === 0) return empty;
        return (
          <ul className={styles['totals']} aria-label={text.totals}>
            {totals.map(({ state, bundles, volume }) => (
              <li key={state}>
                <HoldingState state={state} /> <strong>{tonnes(volume)}</strong> {text.inBundles(digits(bundles))}
              </li>
            ))}
          </ul>
        );
      }}
    </Read>
  );
}
