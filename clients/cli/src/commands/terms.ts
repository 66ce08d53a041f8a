import type { BodyOf } from '@saleschannel/sdk';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { parseDay } from '../options.ts';

type Retirement = BodyOf<'startRetirement'>;
type Statement = NonNullable<Retirement['statement']>;

const beneficiaryTypes = { END_CONSUMER: 'end consumer', SUPPLIER: 'supplier' } as const satisfies Record<
  NonNullable<Retirement['beneficiaryType']>,
  string
>;

const usages = {
  BUNDLED_WITH_PRODUCT_OR_SERVICE: 'bundled with a product or service',
  DISCLOSURE: 'disclosure',
  GENERIC_COMPENSATION: 'generic compensation',
  OTHER: 'other',
  SPECIFIC_ACTIVITY_LIKE_FLIGHTS: 'a specific activity, such as a flight',
  SUPPORT: 'support',
} as const satisfies Record<NonNullable<Retirement['usageType']>, string>;

const publications = {
  LINK: 'visible to everyone with the link',
  PUBLIC: 'visible to everyone, in the public register',
} as const satisfies Record<NonNullable<Statement['publication']>, string>;

export interface RetirementOptions {
  readonly beneficiary: string;
  readonly location: string;
  readonly beneficiaryType?: keyof typeof beneficiaryTypes;
  readonly country: string;
  readonly from: string;
  readonly to: string;
  readonly purpose: string;
  readonly usageType?: keyof typeof usages;
  readonly publication?: keyof typeof publications;
  readonly hiddenUntil?: string;
}

/** Adds the options for beneficiary and use of a retirement. */
export const addRetirementOptions = (command: Command): Command =>
  command
    .requiredOption('--beneficiary <name>', 'name of the beneficiary')
    .requiredOption('--location <place>', 'location of the beneficiary')
    .addOption(
      new Option('--beneficiary-type <type>', 'type of the beneficiary; default END_CONSUMER').choices(
        Object.keys(beneficiaryTypes),
      ),
    )
    .requiredOption('--country <country>', 'country of consumption, such as Norway or NO', parseCountry)
    .requiredOption('--from <date>', 'first day of the consumption period, such as 2024-01-01', parseDay)
    .requiredOption('--to <date>', 'last day of the consumption period', parseDay)
    .requiredOption('--purpose <text>', 'purpose of the retirement')
    .addOption(
      new Option('--usage-type <type>', 'type of use; default GENERIC_COMPENSATION').choices(Object.keys(usages)),
    )
    .addOption(
      new Option('--publication <kind>', 'visibility of the public statement; default LINK').choices(
        Object.keys(publications),
      ),
    )
    .option(
      '--hidden-until <date>',
      'date until which the statement hides beneficiary and purpose; at most 12 months ahead',
      parseDay,
    );

/**
 * Members set by these options. `beneficiaryHiddenUntil` duplicates a member of the statement, and the others are
 * common to all transfers.
 */
type Member = Exclude<
  keyof Retirement,
  'assets' | 'currency' | 'externalReference' | 'metadata' | 'beneficiaryHiddenUntil'
>;
type RetirementTerms = Pick<Retirement, Member>;

/** Omits members that were not given, so that a repeat is the same request even with the next release of scs. */
export function toRetirement(options: RetirementOptions): RetirementTerms {
  const { publication, hiddenUntil } = options;
  const statement: Statement = {
    ...(publication && { publication }),
    ...(hiddenUntil !== undefined && { beneficiaryHiddenUntil: `${hiddenUntil}T00:00:00Z` }),
  };
  return {
    beneficiaryName: options.beneficiary,
    beneficiaryLocation: options.location,
    beneficiaryType: options.beneficiaryType,
    consumptionCountryCode: options.country,
    consumptionPeriod: { start: `${options.from}T00:00:00Z`, end: `${options.to}T23:59:59Z` },
    retirementPurpose: options.purpose,
    usageType: options.usageType,
    statement: publication === undefined && hiddenUntil === undefined ? undefined : statement,
  } satisfies { [Each in Member]-?: Retirement[Each] | undefined };
}

const lines: { readonly [Each in Member]-?: (terms: RetirementTerms) => readonly string[] } = {
  beneficiaryName: ({ beneficiaryName }) => [`beneficiary: ${beneficiaryName || 'not named'}`],
  beneficiaryLocation: ({ beneficiaryLocation }) => [`location: ${beneficiaryLocation}`],
  beneficiaryType: ({ beneficiaryType = 'END_CONSUMER' }) => [`beneficiary type: ${beneficiaryTypes[beneficiaryType]}`],
  consumptionCountryCode: ({ consumptionCountryCode }) => [`country: ${formatCountry(consumptionCountryCode)}`],
  consumptionPeriod: ({ consumptionPeriod: { start, end } }) => [
    `period: ${start.slice(0, 10)} to ${end.slice(0, 10)}`,
  ],
  retirementPurpose: ({ retirementPurpose }) => [`purpose: ${retirementPurpose}`],
  usageType: ({ usageType = 'GENERIC_COMPENSATION' }) => [`usage type: ${usages[usageType]}`],
  statement: ({ statement: { publication, beneficiaryHiddenUntil: until } = {} }) => [
    `public statement: ${publications[publication ?? 'LINK']}`,
    `beneficiary and purpose: ${until === undefined ? 'shown immediately' : `hidden until ${until.slice(0, 10)}`}`,
  ],
};

/** All terms of a retirement, for display. */
export const retirementLines = (terms: RetirementTerms): string[] =>
  Object.values(lines).flatMap((line) => line(terms));

/** Maximum decimal places of a price. */
const FRACTION_DIGITS = 6;

/** Exact total of a price, computed in integers. */
function calculateTotal(price: string, volume: bigint): string {
  const [whole = '0', fraction = ''] = price.split('.');
  const total = BigInt(whole + fraction.padEnd(FRACTION_DIGITS, '0')) * volume;
  const digits = total.toString().padStart(FRACTION_DIGITS + 1, '0');
  // Keeps two decimal places.
  return `${digits.slice(0, -FRACTION_DIGITS)}.${digits.slice(-FRACTION_DIGITS).replace(/0{1,4}$/, '')}`;
}

/** Price and total, for display. */
export function formatPrice(price: string | undefined, currency: string | null, volume: bigint): string {
  if (price !== undefined) return `${price} ${currency} each, ${calculateTotal(price, volume)} ${currency} in total`;
  return currency === null ? 'none' : `none, in ${currency}`;
}

/** ISO 3166-1 alpha-2. `Intl` names these and other regions, but lists none. */
const CODES = [
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY',
  'BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK',
  'FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR',
  'IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK',
  'ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM',
  'PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF',
  'TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW',
].flatMap((line) => line.split(' '));

const names = new Intl.DisplayNames('en', { type: 'region' });
const shortNames = new Intl.DisplayNames('en', { type: 'region', style: 'short' });

/** A longer list would not help. */
const SHOWN_AT_MOST = 10;

/** Country for display, with its code. */
const formatCountry = (code: string): string => `${names.of(code)} (${code})`;

/** Removes case, accents and punctuation. */
const normalize = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Parses a country code or an English name. Parts of names are rejected, because they may mean another country. */
export function parseCountry(value: string): string {
  const name = normalize(value);
  const namesOf = (code: string): string[] =>
    [code, names.of(code) ?? code, shortNames.of(code) ?? code].map(normalize);
  const code = CODES.find((each) => namesOf(each).includes(name));
  if (code !== undefined) return code;
  const similar = CODES.filter((each) => namesOf(each).some((words) => ` ${words} `.includes(` ${name} `)));
  throw new InvalidArgumentError(
    similar.length === 0 || similar.length > SHOWN_AT_MOST
      ? 'It must be the English name of a country or its ISO 3166 code, such as Norway or NO.'
      : `Several countries match. Use the full name or the code: ${similar.map(formatCountry).join(', ')}.`,
  );
}
