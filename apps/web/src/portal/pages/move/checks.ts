import type { Act } from '../../transfers/acts.ts';
import { dayOf, embargoFault } from '../../transactions/embargo.ts';
import { fieldOf, type Fields } from './body.ts';
import { text } from './text.ts';

type Fault = readonly [name: string, words: string];

/** What is wrong between the fields of a move, before its Review. The API checks it too, but only after that. */
export function checkMove(act: Act, fields: Fields, now: number): readonly Fault[] {
  if (act !== 'retire') return [];
  const faults: Fault[] = [];
  if (fieldOf(fields, 'unitPrice') !== '' && fieldOf(fields, 'currency') === '') {
    faults.push(['currency', text.currencyMissing]);
  }
  const [start, end] = [fieldOf(fields, 'periodStart'), fieldOf(fields, 'periodEnd')];
  if (start !== '' && end !== '' && end < start) faults.push(['periodEnd', text.periodReversed(start)]);
  const until = fieldOf(fields, 'beneficiaryHiddenUntil');
  const today = dayOf(now);
  const fault = until === '' ? undefined : embargoFault(until, today, today);
  if (fault !== undefined) faults.push(['beneficiaryHiddenUntil', fault]);
  return faults;
}
