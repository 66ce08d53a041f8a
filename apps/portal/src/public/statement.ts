import { z } from 'zod';
import { readJson } from './check.ts';

/** Answers of the API, as far as pages show them. Numbers are strings, as written there. */

const number = z.string();
const instant = z.string();

const certificates = z.object({
  certificates: z.string(),
  start: z.string(),
  volume: number,
  methodologyCode: z.string(),
  countryCode: z.string(),
  productionFacilityCode: z.string(),
  vintage: number,
  productionStartDate: instant,
  productionEndDate: instant,
  issuingDate: instant,
});

const listedShape = z.object({
  id: z.string(),
  retiredAt: instant,
  volume: number,
  beneficiaryType: z.string(),
  consumptionCountryCode: z.string(),
  usageType: z.string(),
  consumptionPeriod: z.object({ start: instant, end: instant }),
  beneficiaryName: z.string().optional(),
  beneficiaryLocation: z.string().optional(),
  retirementPurpose: z.string().optional(),
  publication: z.string(),
  beneficiaryHiddenUntil: instant.nullable(),
});

const statementShape = listedShape.extend({
  certificates: z.array(certificates),
  /** Issued in a sandbox. */
  sandbox: z.literal(true).optional(),
});

const statusShape = z.object({
  certificate: z.string(),
  status: z.enum(['ACTIVE', 'RETIRED', 'EXPIRED']),
  retiredAt: instant.nullable(),
  statementId: z.string().nullable(),
  creditType: z.string(),
  methodologyCode: z.string(),
  countryCode: z.string(),
  productionFacilityCode: z.string(),
  vintage: number,
  issuingDate: instant,
  expirationDate: instant.nullable(),
});

const keysShape = z.object({
  keys: z.array(z.object({ kid: z.string(), kty: z.string(), crv: z.string(), x: z.string() })),
});

export type RetiredCertificates = z.output<typeof certificates>;
export type ListedStatement = z.output<typeof listedShape>;
export type Statement = z.output<typeof statementShape>;
export type CertificateStatus = z.output<typeof statusShape>;
export type StatementKeys = z.output<typeof keysShape>['keys'];

/** @throws SyntaxError, ZodError for an unexpected answer */
export const readStatement = (text: string): Statement => statementShape.parse(readJson(text));
export const readStatements = (text: string): ListedStatement[] => z.array(listedShape).parse(readJson(text));
export const readStatus = (text: string): CertificateStatus => statusShape.parse(readJson(text));
export const readKeys = (text: string): StatementKeys => keysShape.parse(readJson(text)).keys;

/** Formats of public pages and the PDF. Times are in UTC. */

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const momentFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

const uses: Readonly<Record<string, string>> = {
  BUNDLED_WITH_PRODUCT_OR_SERVICE: 'bundled with a product or service',
  DISCLOSURE: 'disclosure',
  GENERIC_COMPENSATION: 'generic compensation',
  OTHER: 'other',
  SPECIFIC_ACTIVITY_LIKE_FLIGHTS: 'a specific activity, such as a flight',
  SUPPORT: 'support',
};
const kinds: Readonly<Record<string, string>> = { END_CONSUMER: 'end consumer', SUPPLIER: 'supplier' };

export const formatDay = (instant: string): string => dayFormat.format(new Date(instant));
export const formatMoment = (instant: string): string => `${momentFormat.format(new Date(instant))} UTC`;
export const formatUse = (type: string): string => uses[type] ?? type;
export const formatKind = (type: string): string => kinds[type] ?? type;
export const formatCountry = (code: string): string => (/^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code);

/** Groups digits by three, with narrow no-break spaces. */
export function groupDigits(digits: string): string {
  const first = digits.slice(0, digits.length % 3);
  const groups = digits.slice(first.length).match(/\d{3}/g) ?? [];
  return [...(first === '' ? [] : [first]), ...groups].join('\u202f');
}

/** Formats a period: `2024` for a whole year, otherwise both days. */
export function formatPeriod({ start, end }: ListedStatement['consumptionPeriod']): string {
  const [first, last] = [start.slice(0, 10), end.slice(0, 10)];
  const year = first.slice(0, 4);
  return first === `${year}-01-01` && last === `${year}-12-31` ? year : `${formatDay(start)} to ${formatDay(end)}`;
}
