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
