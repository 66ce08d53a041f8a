import type { InputHTMLAttributes } from 'react';
import { beneficiaryTypes, usages } from '../../transactions/retirement.ts';
import type { TransferKind } from '../../transfers/kinds.ts';
import { PRICE_PATTERN } from './body.ts';
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
    {
      name: 'beneficiaryType',
      pointers: ['/beneficiaryType'],
      label: text.beneficiaryType,
      options: beneficiaryTypes,
    },
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
    {
      name: 'consumptionCountryCode',
      pointers: ['/consumptionCountryCode'],
      label: text.country,
      isCountry: true,
    },
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
export const fieldPointers: readonly string[] = fieldGroups.retire.flatMap(({ rows }) =>
  rows.flat().flatMap(({ pointers }) => pointers),
);
