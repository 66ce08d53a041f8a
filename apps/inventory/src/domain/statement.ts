import { createHash, createHmac } from 'node:crypto';
import { invalidRequest, type FaultCode } from '@saleschannel/errors';
import { oneCalendarYearAfter } from '@saleschannel/primitives';
import { z } from 'zod';

/** The public statement of a retirement: what it says, who may see it, and what of it may be hidden for a time. */

/** LINK: whoever knows its id. PUBLIC: also by its transaction's id and in the public list. */
export const publications = ['LINK', 'PUBLIC'] as const;
export type Publication = (typeof publications)[number];

/** What is said of the beneficiary, and hidden until the embargo ends. */
const hideable = ['beneficiaryName', 'beneficiaryLocation', 'retirementPurpose'] as const;

/** How a retirement is kept in the ledger. */
const retirement = z.object({
  beneficiaryName: z.string(),
  beneficiaryLocation: z.string(),
  retirementPurpose: z.string(),
  beneficiaryType: z.string(),
  consumptionCountryCode: z.string(),
  usageType: z.string(),
  consumptionPeriodStart: z.string(),
  consumptionPeriodEnd: z.string(),
});

export type RetirementTerms = z.output<typeof retirement>;

/** @throws z.ZodError for what the ledger would never keep */
export const readRetirement = (kept: unknown): RetirementTerms => retirement.parse(kept);

/** Who may see what. */
export interface Visibility {
  readonly publication: Publication;
  /** ISO 8601. Null: nothing is hidden. */
  readonly beneficiaryHiddenUntil: string | null;
}

/** Until the very end of the embargo nothing of the beneficiary is shown. */
export const isHidden = ({ beneficiaryHiddenUntil }: Visibility, now: Date): boolean =>
  beneficiaryHiddenUntil !== null && now < new Date(beneficiaryHiddenUntil);

const refused = (detail: string, code: FaultCode) =>
  invalidRequest('The statement cannot be published this way.', [
    { pointer: '#/beneficiaryHiddenUntil', detail, code },
  ]);

/**
 * @param retiredAt when the retirement was made: the embargo counts from there, however often it is set
 * @throws DomainError 'invalid-request' for an embargo of more than twelve months
 */
export function checkEmbargo(until: Date, retiredAt: Date): void {
  if (until > oneCalendarYearAfter(retiredAt))
    throw refused('must be at most twelve months after the retirement', 'embargo-too-long');
}

/** What may be hidden, one member after the other, as a signature holds and reveals it (RFC 9901 section 4.2). */
export interface Disclosure {
  /** What is signed. It says nothing of the member. */
  readonly digest: string;
  /** With it, anybody can see that the member is what was signed. */
  readonly text: string;
}

const SALT_BYTES = 16;

/** @param secret 256 random bits of this statement alone: nobody can guess a short text from its digest */
export function disclosuresOf(terms: RetirementTerms, secret: Buffer): Disclosure[] {
  return hideable.map((name) => {
    const salt = createHmac('sha256', secret).update(name).digest().subarray(0, SALT_BYTES).toString('base64url');
    const text = Buffer.from(JSON.stringify([salt, name, terms[name]])).toString('base64url');
    return { digest: createHash('sha256').update(text).digest('base64url'), text };
  });
}
