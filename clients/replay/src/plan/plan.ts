import { formatSerial } from '@saleschannel/primitives';
import { MAX_NAME_LENGTH } from '@saleschannel/primitives/validation';
import type { Batch } from '../file/batches.ts';
import { toYearPeriod } from '../file/dates.ts';
import type { Row } from '../file/row.ts';
import { truncate, shorten } from '../text.ts';
import { countryCode, UNKNOWN_COUNTRY } from './countries.ts';
import { assignFacilityCodes, createIssuanceId } from './ids.ts';
import { planSteps, type Step } from './steps.ts';

/** Default for required texts missing from the file. */
export const NOT_STATED = 'Not stated';
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

export interface PlannedIssuance {
  readonly issuanceId: string;
  readonly batch: Batch;
  /** In order of execution. */
  readonly steps: readonly Step[];
}

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
