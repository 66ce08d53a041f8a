import type { InputHTMLAttributes } from 'react';
import { ApiError, groupFaults, type Fault } from '../../../shared/api/problem.ts';
import { beneficiaryTypes, usages, toDay, checkEmbargo } from '../../transactions/retirement.ts';
import type { TransferKind } from '../../transfers/transfers.ts';
import { PRICE_PATTERN, readField, type Fields } from './request.ts';
import { text } from './text.ts';

type InputRules = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'required' | 'maxLength' | 'pattern' | 'inputMode' | 'autoComplete'
>;

/** A field of the form: text, or a choice whose first option is the default. */
export interface TransferField {
  readonly name: string;
  /** Body members whose errors are shown at this field, most specific first. */
  readonly pointers: readonly [string, ...string[]];
  readonly label: string;
  readonly hint?: string;
  /** Describes a valid value in a sentence. */
  readonly format?: string;
  readonly rules?: InputRules;
  readonly isCountry?: true;
  readonly options?: readonly (readonly [value: string, label: string])[];
}

export interface FieldGroup {
  readonly legend: string;
  /** Fields of one row are side by side. */
  readonly rows: readonly (TransferField | readonly TransferField[])[];
}

const NAME_LENGTH = 200;
const TEXT_LENGTH = 1_000;
const REFERENCE_LENGTH = 100;

const createPriceGroup = (isRequired: boolean): FieldGroup => ({
  legend: text.prices,
  rows: [
    {
      name: 'unitPrice',
      pointers: ['/unitPrice'],
      label: text.unitPrice,
      hint: isRequired ? text.unitPriceHint : text.unitPriceOptional,
      format: text.priceFormat,
      rules: { inputMode: 'decimal', autoComplete: 'off', pattern: PRICE_PATTERN, required: isRequired },
    },
    {
      name: 'currency',
      pointers: ['/currency'],
      label: text.currency,
      options: [...(isRequired ? [] : [['', text.noCurrency] as const]), ['EUR', 'EUR'], ['USD', 'USD']],
    },
  ],
});

const beneficiary: FieldGroup = {
  legend: text.beneficiary,
  rows: [
    {
      name: 'beneficiaryName',
      pointers: ['/beneficiaryName'],
      label: text.beneficiaryName,
      hint: text.beneficiaryNameHint,
      rules: { maxLength: NAME_LENGTH },
    },
    {
      name: 'beneficiaryLocation',
      pointers: ['/beneficiaryLocation'],
      label: text.beneficiaryLocation,
      hint: text.beneficiaryLocationHint,
      rules: { required: true, maxLength: TEXT_LENGTH },
    },
    { name: 'beneficiaryType', pointers: ['/beneficiaryType'], label: text.beneficiaryType, options: beneficiaryTypes },
  ],
};

const use: FieldGroup = {
  legend: text.use,
  rows: [
    {
      name: 'retirementPurpose',
      pointers: ['/retirementPurpose'],
      label: text.purpose,
      hint: text.purposeHint,
      rules: { required: true, maxLength: TEXT_LENGTH },
    },
    { name: 'usageType', pointers: ['/usageType'], label: text.usage, options: Object.entries(usages) },
    { name: 'consumptionCountryCode', pointers: ['/consumptionCountryCode'], label: text.country, isCountry: true },
    [
      {
        name: 'periodStart',
        pointers: ['/consumptionPeriod/start', '/consumptionPeriod'],
        label: text.periodStart,
        rules: { type: 'date', required: true },
      },
      {
        name: 'periodEnd',
        pointers: ['/consumptionPeriod/end'],
        label: text.periodEnd,
        rules: { type: 'date', required: true },
      },
    ],
  ],
};

const statement: FieldGroup = {
  legend: text.statement,
  rows: [
    {
      name: 'publication',
      pointers: ['/statement/publication'],
      label: text.publication,
      options: [
        ['LINK', text.LINK],
        ['PUBLIC', text.PUBLIC],
      ],
    },
    {
      name: 'beneficiaryHiddenUntil',
      pointers: ['/statement/beneficiaryHiddenUntil'],
      label: text.hiddenUntil,
      hint: text.hiddenUntilHint,
      rules: { type: 'date' },
    },
  ],
};

const reference: FieldGroup = {
  legend: text.reference,
  rows: [
    {
      name: 'externalReference',
      pointers: ['/externalReference'],
      label: text.externalReference,
      hint: text.externalReferenceHint,
      rules: { maxLength: REFERENCE_LENGTH, autoComplete: 'off' },
    },
  ],
};

/** Fields other than certificates and buyer. */
export const fieldGroups: Readonly<Record<TransferKind, readonly FieldGroup[]>> = {
  trade: [createPriceGroup(true), reference],
  retire: [beneficiary, use, statement, createPriceGroup(false), reference],
  offramp: [reference],
};

/** Pointers of all fields. */
const fieldPointers: readonly string[] = fieldGroups.retire.flatMap(({ rows }) =>
  rows.flat().flatMap(({ pointers }) => pointers),
);

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
  return { atFields: price === undefined ? atFields : new Map([...atFields, ['/unitPrice', price]]), atAssets, others };
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
