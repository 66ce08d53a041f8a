import type { Schemas } from '../../shared/api/client.ts';
import { countryName } from '../../shared/format/countries.ts';
import { translate } from '../../shared/i18n/messages.ts';

const text = translate({
  beneficiary: 'Beneficiary',
  nobody: 'not named',
  location: 'Location',
  kind: 'Kind',
  END_CONSUMER: 'end consumer',
  SUPPLIER: 'supplier',
  purpose: 'Purpose',
  usage: 'Type of use',
  country: 'Country of use',
  period: 'Period of use',
  days: (from: string, to: string) => `${from} to ${to}`,
  past: 'The day until which beneficiary and purpose are hidden must be in the future.',
  tooLong: (last: string) => `Beneficiary and purpose can be hidden until ${last}, twelve months after the retirement.`,
});

/** Same day of the next year. */
const yearAfter = (day: string): string => `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`;

/**
 * Error of an embargo until the start of a day in UTC. Undefined if it is valid.
 * @param retiredOn day of the retirement, in UTC
 */
export function checkEmbargo(until: string, retiredOn: string, today: string): string | undefined {
  if (until <= today) return text.past;
  const last = yearAfter(retiredOn);
  return until > last ? text.tooLong(last) : undefined;
}

/** Day in UTC, in the format of date inputs. */
export const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Labels of usage types. */
export const usages = translate({
  GENERIC_COMPENSATION: 'generic compensation',
  SPECIFIC_ACTIVITY_LIKE_FLIGHTS: 'a specific activity, such as flights',
  BUNDLED_WITH_PRODUCT_OR_SERVICE: 'bundled with a product or service',
  DISCLOSURE: 'disclosure',
  SUPPORT: 'support',
  OTHER: 'other',
});

/** A retirement of the API or of a form. */
export type Retirement = Readonly<Record<Exclude<keyof Schemas['RetirementDetails'], 'consumptionPeriod'>, string>> &
  Pick<Schemas['RetirementDetails'], 'consumptionPeriod'>;

export const beneficiaryTypes = [
  ['END_CONSUMER', text.END_CONSUMER],
  ['SUPPLIER', text.SUPPLIER],
] as const;

const toLabel = (words: Readonly<Record<string, string>>, value: string): string => words[value] ?? value;

/** Day of an API time, in UTC. */
const dayOf = (time: string): string => time.slice(0, 10);

/** Beneficiary and use of a retirement in words, for all pages that show retirements. */
export const describeRetirement = (of: Retirement): readonly (readonly [name: string, value: string])[] => [
  [text.beneficiary, of.beneficiaryName || text.nobody],
  [text.location, of.beneficiaryLocation],
  [text.kind, toLabel(Object.fromEntries(beneficiaryTypes), of.beneficiaryType)],
  [text.purpose, of.retirementPurpose],
  [text.usage, toLabel(usages, of.usageType)],
  [text.country, countryName(of.consumptionCountryCode)],
  [text.period, text.days(dayOf(of.consumptionPeriod.start), dayOf(of.consumptionPeriod.end))],
];
