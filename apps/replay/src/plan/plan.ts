import type { Batch } from '../file/batches.ts';
import { wholeYear } from '../file/dates.ts';
import type { Row } from '../file/row.ts';
import { cut } from '../text.ts';
import { countryCode, UNKNOWN_COUNTRY } from './countries.ts';
import { facilityCodesOf, issuanceIdOf } from './ids.ts';
import { stepsOf, type Step } from './steps.ts';

export const NAME_LENGTH_AT_MOST = 200;
export const NOT_STATED = 'Not stated';
const ABBREVIATION_LENGTH_AT_MOST = 64;
/** In messages. */
const SHOWN_NAME_LENGTH_AT_MOST = 60;

/** What each registry calls its credits, for the certificate id. */
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
  readonly steps: readonly Step[];
  /** A serial as the ledger writes it within this issuance. */
  readonly serial: (value: bigint) => string;
}

/** A record of the bulk import, as the API takes it, and the lines of the file that it was made from. */
export interface ImportRecord {
  readonly name: string;
  readonly lines: readonly number[];
  readonly issuanceId?: string;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface Plan {
  readonly issuances: readonly PlannedIssuance[];
  readonly facilities: number;
  /** Facilities first: an issuance names its facility. */
  readonly records: readonly ImportRecord[];
}

/** Who gets the certificates. */
export interface Listing {
  readonly accountHolderId: string;
  readonly salesChannelId: string;
}

/** Abbreviations stand in certificate ids, between underscores. */
const abbreviationOf = (registry: string): string =>
  cut(
    registry
      .toUpperCase()
      .replaceAll(/[_\s]+/gu, '-')
      .replaceAll(/^-+|-+$/g, '') || 'REGISTRY',
    ABBREVIATION_LENGTH_AT_MOST,
  );

const facilityKey = ({ registry, project }: Row): string => JSON.stringify([registry, project]);

/** The row with the least serial speaks for its batch, wherever it stands in the file. */
const leadOf = ({ rows, range }: Batch): Row =>
  rows.find(({ ranges }) => ranges.some(({ first }) => first === range.first))!;

function facilityRecord(rows: readonly Row[], code: string): ImportRecord {
  const [first] = rows as [Row, ...Row[]];
  const name = cut(first.project || NOT_STATED, NAME_LENGTH_AT_MOST);
  const country =
    rows.map((row) => countryCode(row.country)).find((found) => found !== UNKNOWN_COUNTRY) ?? UNKNOWN_COUNTRY;
  return {
    name: `facility ${code} (${cut(name, SHOWN_NAME_LENGTH_AT_MOST)})`,
    lines: rows.map(({ line }) => line),
    json: { type: 'production-facility', code, name, country, methodologyCodes: [], supplier: name },
  };
}

function issuanceRecord(
  { batch, issuanceId, serial }: PlannedIssuance,
  facilityCode: string,
  listing: Listing,
): ImportRecord {
  const lead = leadOf(batch);
  const production = wholeYear(lead.vintage);
  const [issued] = batch.rows.flatMap(({ kind, day }) => (kind === 'issuance' && day ? [day] : [])).toSorted();
  const registry = abbreviationOf(batch.registry);
  return {
    name: `issuance ${issuanceId} (batch ${cut(batch.batch, SHOWN_NAME_LENGTH_AT_MOST)})`,
    lines: batch.rows.map(({ line }) => line),
    issuanceId,
    json: {
      type: 'issuance',
      issuanceId,
      productionFacilityCode: facilityCode,
      standard: registry,
      registry,
      creditType: CREDIT_TYPES[batch.registry] ?? 'CREDIT',
      methodologyCode: 'NOT-STATED',
      vintage: lead.vintage,
      productionStartDate: production.start,
      productionEndDate: production.end,
      issuingDate: issued ? `${issued}T00:00:00.000Z` : production.end,
      firstSerial: serial(batch.range.first),
      lastSerial: serial(batch.range.last),
      ...listing,
    },
  };
}

/** Everything that has to be imported and moved for the batches of a file; the same for the same file. */
export function planOf(batches: readonly Batch[], listing: Listing): Plan {
  const rows = batches.flatMap((batch) => batch.rows).toSorted((a, b) => a.line - b.line);
  const facilities = Map.groupBy(rows, facilityKey);
  const codes = facilityCodesOf(facilities.keys());
  const issuances = batches.map((batch): PlannedIssuance => ({
    issuanceId: issuanceIdOf(batch.registry, batch.batch),
    batch,
    steps: stepsOf(batch),
    serial: (value) => value.toString().padStart(batch.width, '0'),
  }));
  return {
    issuances,
    facilities: facilities.size,
    records: [
      ...[...facilities].map(([key, rows]) => facilityRecord(rows, codes.get(key)!)),
      ...issuances.map((issuance) =>
        issuanceRecord(issuance, codes.get(facilityKey(leadOf(issuance.batch)))!, listing),
      ),
    ],
  };
}
