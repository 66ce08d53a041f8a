import { query, recordset, sql, type EntityManager } from '@saleschannel/database';
import type { Issuance } from '../domain/issuance.ts';
import type { FacilityTerms } from './facilities.ts';

/** An issuance, ready to be stored. */
export interface NewIssuance extends Omit<Issuance, 'productionFacilityCode'>, FacilityTerms {}

const columnTypes = {
  issuanceId: 'uuid',
  facilityId: 'text',
  standard: 'text',
  registry: 'text',
  creditType: 'text',
  creditTypeId: 'text',
  methodologyCode: 'text',
  vintage: 'int',
  productionStartDate: 'timestamptz',
  productionEndDate: 'timestamptz',
  issuingDate: 'timestamptz',
  expirationDate: 'timestamptz',
  firstSerial: 'numeric',
  lastSerial: 'numeric',
  serialWidth: 'int',
  accountHolderId: 'text',
  salesChannelId: 'text',
  traderId: 'text',
} as const;

const columns = sql`
  id, facility_id, standard, registry, credit_type, credit_type_id, methodology_code, vintage, production_start,
  production_end, issuing_date, expiration_date, first_serial, last_serial, serial_width, account_holder_id,
  sales_channel_id, trader_id`;

/** The values of {@link columns}, in their order. */
const given = sql`
  given."issuanceId", given."facilityId", given.standard, given.registry, given."creditType", given."creditTypeId",
  given."methodologyCode", given.vintage, given."productionStartDate", given."productionEndDate", given."issuingDate",
  given."expirationDate", given."firstSerial", given."lastSerial", given."serialWidth", given."accountHolderId",
  given."salesChannelId", given."traderId"`;

/** What the facility is at this time: the issuance keeps it, whatever becomes of the facility. */
const asIssuedTypes = { facilityCode: 'text', countryCode: 'text', gsrn: 'text', supplierId: 'text' } as const;
const asIssued = sql`facility_code, country_code, gsrn, supplier_id`;
const givenAsIssued = sql`given."facilityCode", given."countryCode", given.gsrn, given."supplierId"`;

/** Inserts those whose id is new, each with the ROOT and the END of its chain. Returns their ids. */
export async function insertIssuances(em: EntityManager, issuances: readonly NewIssuance[]): Promise<Set<string>> {
  const inserted: { id: string }[] = await query(
    em,
    sql`insert into issuance (${columns}, ${asIssued}) select ${given}, ${givenAsIssued}
        from ${recordset('given', { ...columnTypes, ...asIssuedTypes }, issuances)}
        on conflict (id) do nothing returning id`,
  );
  const ids = new Set(inserted.map(({ id }) => id));
  const fresh = issuances.filter(({ issuanceId }) => ids.has(issuanceId));
  if (fresh.length > 0) {
    const issued = recordset('issued', { issuanceId: 'uuid', firstSerial: 'numeric', lastSerial: 'numeric' }, fresh);
    await query(
      em,
      sql`with issued as (select * from ${issued})
          insert into bundle (issuance_id, previous_last, last, state)
          select "issuanceId", null, "firstSerial" - 1, 'ROOT' from issued
          union all select "issuanceId", "lastSerial", null, 'END' from issued`,
    );
  }
  return ids;
}

/** An issuance with its place in a request. */
export interface PlacedIssuance extends NewIssuance {
  readonly place: number;
}

/**
 * The places of those of the issuances that are stored with exactly this content. What the facility was when they were
 * issued is not asked for.
 */
export async function findSameIssuances(em: EntityManager, issuances: readonly PlacedIssuance[]): Promise<Set<number>> {
  if (issuances.length === 0) return new Set();
  const rows: { place: number }[] = await query(
    em,
    sql`select given.place from ${recordset('given', { ...columnTypes, place: 'int' }, issuances)}
        join (select ${columns} from issuance) as stored on stored.id = given."issuanceId"
        where row(${given}) is not distinct from row(stored.*)`,
  );
  return new Set(rows.map(({ place }) => place));
}
