import { ApiError, faultsOf, type Fault } from '../../../shared/api/problem.ts';
import { dayOf, embargoFault } from '../../transactions/embargo.ts';
import type { Act } from '../../transfers/kinds.ts';
import { fieldOf, type Fields } from './body.ts';
import { fieldPointers } from './fields.ts';
import { text } from './text.ts';

const pointers = ['/volume', '/buyerId', ...fieldPointers];
const PRICE_POINTER = /^#?\/assets\/\d+\/unitPrice$/;
const ASSET_POINTER = /^#?\/assets\/(\d+)(?:\/|$)/;

export interface MoveFaults {
  readonly atFields: ReadonlyMap<string, string>;
  /** By index of the selection. */
  readonly atAssets: ReadonlyMap<number, string>;
  readonly others: readonly string[];
}

/** Assigns errors to fields and selections. Price errors of all selections become one. */
export function moveFaults(faults: readonly Fault[]): MoveFaults {
  const atAssets = new Map<number, string>();
  const rest: Fault[] = [];
  let price: string | undefined;
  for (const fault of faults) {
    const [, index] = ASSET_POINTER.exec(fault.pointer ?? 'none') ?? [];
    if (PRICE_POINTER.test(fault.pointer ?? 'none')) price = fault.detail;
    else if (index === undefined) rest.push(fault);
    else atAssets.set(Number(index), fault.detail);
  }
  const error = new ApiError({ status: 400, type: 'none', title: 'none', detail: 'none', faults: rest });
  const { atFields, others } = faultsOf(error, pointers);
  return {
    atFields: price === undefined ? atFields : new Map([...atFields, ['/unitPrice', price]]),
    atAssets,
    others,
  };
}

const NOTHING_DONE: readonly (number | undefined)[] = [400, 403, 404, 413, 415, 431];

/** Whether the response proves that nothing was done. Only then may the form be edited and sent under a new key. */
export const isRefusal = (error: unknown): boolean => error instanceof ApiError && NOTHING_DONE.includes(error.status);

type FieldFault = readonly [name: string, words: string];

/** Checks dependent fields before the review. The API would report them only after it. */
export function checkMove(act: Act, fields: Fields, now: number): readonly FieldFault[] {
  if (act !== 'retire') return [];
  const faults: FieldFault[] = [];
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
