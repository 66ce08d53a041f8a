import { createHash, createHmac } from 'node:crypto';
import { requestRefused, type FaultCode, type Violation } from '@saleschannel/errors';
import { addCalendarYear } from '@saleschannel/primitives';
import { z } from 'zod';
import { CompactSign, importJWK, type JWK } from 'jose';

/** An Ed25519 key (RFC 8037 section 2) with an id. `d` is its private half. */
const publicKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().min(1),
  kid: z.string().min(1),
});

const keySet = z.object({
  current: publicKey.extend({ d: z.string().min(1) }),
  former: z.array(publicKey),
});

/**
 * The signing key of statements, and all former keys, whose signatures stay valid. JSON:
 * `{"current": <private JWK>, "former": [<public JWK>, …]}`.
 */
export const statementKeysSchema = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.issues.push({ code: 'custom', message: 'must be JSON', input: undefined });
      return z.NEVER;
    }
  })
  .pipe(keySet);

type StatementKeys = z.output<typeof keySet>;

const ALGORITHM = 'EdDSA';
const TYPE = 'retirement-statement+sd-jwt';

/** Signs statements. Signatures with one key are deterministic (RFC 8032). */
export class StatementSigner {
  readonly #key: Awaited<ReturnType<typeof importJWK>>;
  readonly #keys: StatementKeys;

  private constructor(keys: StatementKeys, key: Awaited<ReturnType<typeof importJWK>>) {
    this.#keys = keys;
    this.#key = key;
  }

  static async create(keys: StatementKeys): Promise<StatementSigner> {
    return new StatementSigner(keys, await importJWK(keys.current, ALGORITHM));
  }

  /** @returns a JWS in compact form (RFC 7515) */
  sign(payload: string): Promise<string> {
    const header = { alg: ALGORITHM, typ: TYPE, kid: this.#keys.current.kid };
    return new CompactSign(Buffer.from(payload)).setProtectedHeader(header).sign(this.#key);
  }

  /** All keys that ever signed statements, without their private halves. */
  get publicKeys(): { keys: JWK[] } {
    const { current, former } = this.#keys;
    return {
      keys: [current, ...former].map(({ kty, crv, x, kid }) => ({ kty, crv, x, kid, alg: ALGORITHM, use: 'sig' })),
    };
  }
}

/** Public statements of retirements: content, visibility and embargo of the beneficiary. */

/** LINK: found by its id. PUBLIC: also by the id of its transaction and in the public list. */
export const publications = ['LINK', 'PUBLIC'] as const;
export type Publication = (typeof publications)[number];

/** Members that an embargo hides. */
const hideable = ['beneficiaryName', 'beneficiaryLocation', 'retirementPurpose'] as const;

/** A retirement as the ledger stores it. */
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

/** @throws z.ZodError for a value that the ledger never stores */
export const parseRetirement = (stored: unknown): RetirementTerms => retirement.parse(stored);

export interface Visibility {
  readonly publication: Publication;
  /** ISO 8601. Null: not hidden. */
  readonly beneficiaryHiddenUntil: string | null;
}

export const isHidden = ({ beneficiaryHiddenUntil }: Visibility, now: Date): boolean =>
  beneficiaryHiddenUntil !== null && now < new Date(beneficiaryHiddenUntil);

/** Times that decide which changes of visibility are allowed. */
export interface StatementTimes {
  /** Time of the request. */
  readonly createdAt: Date;
  /** Time of success, when the statement became visible. Null: not visible yet. */
  readonly retiredAt: Date | null;
  readonly now: Date;
}

/**
 * Refuses to hide data that was visible. An embargo may be moved or ended before it is over, within twelve months of
 * the retirement.
 * @throws DomainError 'request-refused'
 */
export function checkVisibility(before: Visibility, after: Visibility, times: StatementTimes): void {
  const violations = [...publicationFaults(before, after, times), ...embargoFaults(before, after, times)];
  if (violations.length > 0) throw requestRefused('The statement cannot be published this way.', violations);
}

function publicationFaults(before: Visibility, after: Visibility, { retiredAt }: StatementTimes): Violation[] {
  if (retiredAt === null || before.publication === after.publication || before.publication !== 'PUBLIC') return [];
  const detail = 'A public statement cannot be unpublished.';
  return [{ pointer: '#/publication', code: 'statement-published', detail }];
}

function embargoFaults(
  before: Visibility,
  after: Visibility,
  { createdAt, retiredAt, now }: StatementTimes,
): Violation[] {
  const { beneficiaryHiddenUntil: text } = after;
  if (text === null || text === before.beneficiaryHiddenUntil) return [];
  const until = new Date(text);
  const fault = (code: FaultCode, detail: string) => [{ pointer: '#/beneficiaryHiddenUntil', code, detail }];
  if (retiredAt !== null && !isHidden(before, now))
    return fault('statement-published', 'The beneficiary was visible and cannot be hidden again.');
  if (until <= now) return fault('embargo-past', 'The embargo must end in the future. Null ends it now.');
  if (until > addCalendarYear(retiredAt ?? createdAt))
    return fault('embargo-too-long', 'The embargo must end at most twelve months after the retirement.');
  return [];
}

/** A member that may be hidden, as a signature covers and reveals it (RFC 9901 section 4.2). */
export interface Disclosure {
  /** Signed. Does not reveal the member. */
  readonly digest: string;
  /** Reveals the member, and proves that it was signed. */
  readonly text: string;
}

const SALT_BYTES = 16;

/** @param secret 256 random bits per statement, so that short texts cannot be guessed from their digests */
export function createDisclosures(terms: RetirementTerms, secret: Buffer): Disclosure[] {
  return hideable.map((name) => {
    const salt = createHmac('sha256', secret).update(name).digest().subarray(0, SALT_BYTES).toString('base64url');
    const text = Buffer.from(JSON.stringify([salt, name, terms[name]])).toString('base64url');
    return { digest: createHash('sha256').update(text).digest('base64url'), text };
  });
}
