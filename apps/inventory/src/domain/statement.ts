import { createHash, createHmac } from 'node:crypto';
import { requestRefused, type FaultCode, type Violation } from '@saleschannel/errors';
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

/** A statement in time. */
export interface Moment {
  /** When the retirement was asked for. */
  readonly createdAt: Date;
  /** When it succeeded and its statement appeared. Null: nobody has seen it yet. */
  readonly retiredAt: Date | null;
  readonly now: Date;
}

/**
 * Refuses to take back what was shown. An embargo may be moved or ended until it is over, within twelve months of the
 * retirement.
 * @throws DomainError 'request-refused'
 */
export function checkVisibility(before: Visibility, after: Visibility, moment: Moment): void {
  const violations = [...publicationFaults(before, after, moment), ...embargoFaults(before, after, moment)];
  if (violations.length > 0) throw requestRefused('The statement cannot be published this way.', violations);
}

function publicationFaults(before: Visibility, after: Visibility, { retiredAt }: Moment): Violation[] {
  if (retiredAt === null || before.publication === after.publication || before.publication !== 'PUBLIC') return [];
  const detail = 'The statement is public and stays public.';
  return [{ pointer: '#/publication', code: 'statement-published', detail }];
}

function embargoFaults(before: Visibility, after: Visibility, { createdAt, retiredAt, now }: Moment): Violation[] {
  const { beneficiaryHiddenUntil: text } = after;
  if (text === null || text === before.beneficiaryHiddenUntil) return [];
  const until = new Date(text);
  const fault = (code: FaultCode, detail: string) => [{ pointer: '#/beneficiaryHiddenUntil', code, detail }];
  if (retiredAt !== null && !isHidden(before, now))
    return fault('statement-published', 'The beneficiary has been shown and cannot be hidden any more.');
  if (until <= now) return fault('embargo-past', 'The embargo must end in the future. Null ends it now.');
  if (until > oneCalendarYearAfter(retiredAt ?? createdAt))
    return fault('embargo-too-long', 'The embargo must end at most twelve months after the retirement.');
  return [];
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
