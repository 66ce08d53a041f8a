import { ApiError, groupFaults, type Fault } from '../../../shared/api/problem.ts';
import { toDay, checkEmbargo } from '../../transactions/embargo.ts';
import type { TransferKind } from '../../transfers/kinds.ts';
import { readField, type Fields } from './body.ts';
import { fieldPointers } from './fields.ts';
import { text } from './text.ts';

const pointers = ['/volume', '/buyerId', ...fieldPointers];
const PRICE_POINTER = /^#?\/assets\/\d+\/unitPrice$/;
const ASSET_POINTER = /^#?\/assets\/(\d+)(?:\/|$)/;

export interface TransferFaults {
  readonly atFields: ReadonlyMap<string, string>;
  /** By index of the selection. */
  readonly atAssets: ReadonlyMap<number, string>;
  readonly others: readonly string[];
}

/** Assigns errors to fields and selections. A price error is shown once for all selections. */
export function groupTransferFaults(faults: readonly Fault[]): TransferFaults {
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
  const { atFields, others } = groupFaults(error, pointers);
  return {
    atFields: price === undefined ? atFields : new Map([...atFields, ['/unitPrice', price]]),
    atAssets,
    others,
  };
}

const NOTHING_DONE: readonly (number | undefined)[] = [400, 403, 404, 413, 415, 431];

/** Whether the response proves that nothing was done. Only then may the form be edited and sent under a new key. */
export const isRejection = (error: unknown): boolean =>
  error instanceof ApiError && NOTHING_DONE.includes(error.status);

type FieldFault = readonly [name: string, words: string];

/** Checks dependent fields before the review. The API would report them only after it. */
export function checkTransfer(act: TransferKind, fields: Fields, now: number): readonly FieldFault[] {
  if (act !== 'retire') return [];
  const faults: FieldFault[] = [];
  if (readField(fields, 'unitPrice') !== '' && readField(fields, 'currency') === '') {
    faults.push(['currency', text.currencyMissing]);
  }
  const [start, end] = [readField(fields, 'periodStart'), readField(fields, 'periodEnd')];
  if (start !== '' && end !== '' && end < start) faults.push(['periodEnd', text.periodReversed(start)]);
  const until = readField(fields, 'beneficiaryHiddenUntil');
  const today = toDay(now);
  const fault = until === '' ? undefined : checkEmbargo(until, today, today);
  if (fault !== undefined) faults.push(['beneficiaryHiddenUntil', fault]);
  return faults;
}
