import { createHash } from 'node:crypto';
import { formatSerial } from '@saleschannel/primitives';
import { MAX_NAME_LENGTH } from '@saleschannel/primitives/validation';
import type { Batch } from '../file/batches.ts';
import { toYearPeriod, type Row } from '../file/row.ts';
import { shorten, truncate } from '../text.ts';
import { countryCode, UNKNOWN_COUNTRY } from './countries.ts';
import { NOT_STATED, planSteps, type PlannedIssuance } from './steps.ts';

/** Project name in the facility code of rows without a project. Changing it would change the codes. */
const NO_PROJECT = '';
const ABBREVIATION_LENGTH_AT_MOST = 64;

/** Credit types of registries, for certificate ids. */
const CREDIT_TYPES: Readonly<Record<string, string>> = {
  verra: 'VCU',
  acr: 'ERT',
  car: 'CRT',
  'gold standard': 'VER',
  puro: 'CORC',
};

/** A record of the bulk import, with the lines of the file that it comes from. */
export interface ImportRecord {
  /** For messages. */
  readonly name: string;
  readonly lines: readonly number[];
  /** Undefined for a facility. */
  readonly issuanceId?: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** Everything to import and carry out for a file. */
export interface Plan {
  readonly issuances: readonly PlannedIssuance[];
  readonly facilities: number;
  /** Facilities first, because issuances refer to them. */
  readonly records: readonly ImportRecord[];
}

/** Owner of the certificates. */
export interface Listing {
  readonly accountHolderId: string;
  readonly salesChannelId: string;
}

/** Plans the import and steps of all batches, deterministically. */
export function createPlan(batches: readonly Batch[], listing: Listing): Plan {
  const rows = batches.flatMap((batch) => batch.rows).toSorted((a, b) => a.line - b.line);
  const facilities = Map.groupBy(rows, facilityKey);
  const codes = assignFacilityCodes(facilities.keys());
  const issuances = batches.map((batch): PlannedIssuance => ({
    issuanceId: createIssuanceId(batch.registry, batch.batch),
    batch,
    steps: planSteps(batch),
  }));
  return {
    issuances,
    facilities: facilities.size,
    records: [
      ...[...facilities.values()].flatMap((rows) => facilityRecord(rows, codes)),
      ...issuances.map((issuance) => issuanceRecord(issuance, codes, listing)),
    ],
  };
}

const facilityKey = ({ registry, project }: Row): string => JSON.stringify([registry, project ?? NO_PROJECT]);

function facilityCode(row: Row, codes: ReadonlyMap<string, string>): string {
  const code = codes.get(facilityKey(row));
  if (code === undefined) throw new Error(`the facility of line ${row.line} has no code`);
  return code;
}

/** @param rows of one facility, in file order */
function facilityRecord(rows: readonly Row[], codes: ReadonlyMap<string, string>): ImportRecord[] {
  const [first] = rows;
  if (!first) return [];
  const code = facilityCode(first, codes);
  const name = truncate(first.project ?? NOT_STATED, MAX_NAME_LENGTH);
  const countries = rows.map((row) => countryCode(row.country));
  const country = countries.find((found) => found !== UNKNOWN_COUNTRY) ?? UNKNOWN_COUNTRY;
  return [
    {
      name: `facility ${code} (${shorten(name)})`,
      lines: rows.map(({ line }) => line),
      json: { type: 'production-facility', code, name, country, methodologyCodes: [], supplier: name },
    },
  ];
}

function issuanceRecord(
  { batch, issuanceId }: PlannedIssuance,
  codes: ReadonlyMap<string, string>,
  listing: Listing,
): ImportRecord {
  const { lead, range, form, rows } = batch;
  const production = toYearPeriod(lead.vintage);
  const [issued] = rows.flatMap(({ kind, day }) => (kind === 'issuance' && day ? [day] : [])).toSorted();
  const registry = toAbbreviation(batch.registry);
  return {
    name: `issuance ${issuanceId} (batch ${shorten(batch.batch)})`,
    lines: rows.map(({ line }) => line),
    issuanceId,
    json: {
      type: 'issuance',
      issuanceId,
      productionFacilityCode: facilityCode(lead, codes),
      standard: registry,
      registry,
      creditType: CREDIT_TYPES[batch.registry] ?? 'CREDIT',
      methodologyCode: 'NOT-STATED',
      vintage: lead.vintage,
      productionStartDate: production.start,
      productionEndDate: production.end,
      issuingDate: issued ? `${issued}T00:00:00.000Z` : production.end,
      firstSerial: formatSerial(range.first, form),
      lastSerial: formatSerial(range.last, form),
      ...listing,
    },
  };
}

/** Certificate ids contain abbreviations between underscores. */
const toAbbreviation = (registry: string): string =>
  truncate(
    registry
      .toUpperCase()
      .replaceAll(/[_\s]+/gu, '-')
      .replaceAll(/^-{1,64}|-{1,64}$/g, '') || 'REGISTRY',
    ABBREVIATION_LENGTH_AT_MOST,
  );

/** Namespace of issuance ids (RFC 9562 section 6.6). It must not change, because equal files must give equal ids. */
const NAMESPACE = Buffer.from('d1f0b8a6c9e44d0b8a5e3f7c21904b6e', 'hex');
const UUID_BYTES = 16;
const VERSION_BYTE = 6;
const VARIANT_BYTE = 8;
const CODE_LENGTH = 6;
const CODES = 36n ** BigInt(CODE_LENGTH);

/** Deterministic UUID (version 5) of a batch in a registry. */
export const createIssuanceId = (registry: string, batch: string): string =>
  createUuid(JSON.stringify([registry, batch]));

/** UUID version 5 (RFC 9562 section 5.5), which node:crypto does not offer. */
function createUuid(name: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, UUID_BYTES);
  bytes.writeUInt8((bytes.readUInt8(VERSION_BYTE) & 0x0f) | 0x50, VERSION_BYTE);
  bytes.writeUInt8((bytes.readUInt8(VARIANT_BYTE) & 0x3f) | 0x80, VARIANT_BYTE);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * Assigns a code of six letters and digits to each key.
 * @param code derives a code. Attempts count from 0. A taken code causes another attempt
 */
export function assignFacilityCodes(keys: Iterable<string>, code: typeof deriveCode = deriveCode): Map<string, string> {
  const codes = new Map<string, string>();
  const taken = new Set<string>();
  for (const key of [...new Set(keys)].toSorted()) {
    let attempt = 0;
    while (taken.has(code(key, attempt))) attempt++;
    taken.add(code(key, attempt));
    codes.set(key, code(key, attempt));
  }
  return codes;
}

function deriveCode(key: string, attempt: number): string {
  const name = attempt === 0 ? key : `${key}#${attempt}`;
  const number = createHash('sha256').update(name).digest().readBigUInt64BE() % CODES;
  return number.toString(36).toUpperCase().padStart(CODE_LENGTH, '0');
}
