import { query, type EntityManager } from '@saleschannel/database';

/** An issuance, ready to be stored; times as ISO 8601, serials as digits without leading zeros. */
export interface NewIssuance {
  id: string;
  facilityId: string;
  standard: string;
  registry: string;
  creditType: string;
  creditTypeId: string;
  methodologyCode: string;
  vintage: number;
  productionStart: string;
  productionEnd: string;
  issuingDate: string;
  expirationDate: string | null;
  firstSerial: string;
  lastSerial: string;
  serialWidth: number;
  accountHolderId: string;
  salesChannelId: string | null;
  traderId: string | null;
}

const recordType = `(id uuid, "facilityId" text, standard text, registry text, "creditType" text, "creditTypeId" text, "methodologyCode" text, vintage int,
  "productionStart" timestamptz, "productionEnd" timestamptz, "issuingDate" timestamptz, "expirationDate" timestamptz, "firstSerial" numeric, "lastSerial" numeric,
  "serialWidth" int, "accountHolderId" text, "salesChannelId" text, "traderId" text)`;

const columns = `id, facility_id, standard, registry, credit_type, credit_type_id, methodology_code, vintage, production_start, production_end,
  issuing_date, expiration_date, first_serial, last_serial, serial_width, account_holder_id, sales_channel_id, trader_id`;

const values = `r.id, r."facilityId", r.standard, r.registry, r."creditType", r."creditTypeId", r."methodologyCode", r.vintage, r."productionStart",
  r."productionEnd", r."issuingDate", r."expirationDate", r."firstSerial", r."lastSerial", r."serialWidth", r."accountHolderId", r."salesChannelId", r."traderId"`;

/** Inserts those whose id is new; returns their ids. The chain of each begins with its ROOT and ends with its END. */
export async function insertIssuances(em: EntityManager, issuances: readonly NewIssuance[]): Promise<Set<string>> {
  const json = JSON.stringify(issuances);
  const inserted = await query<{ id: string }>(
    em,
    `insert into issuance (${columns}) select ${values} from jsonb_to_recordset(?::jsonb) as r${recordType} on conflict (id) do nothing returning id`,
    [json],
  );
  const ids = new Set(inserted.map((row) => row.id));
  const ends = issuances
    .filter((issuance) => ids.has(issuance.id))
    .map(({ id, firstSerial, lastSerial }) => ({ i: id, f: firstSerial, l: lastSerial }));
  if (ends.length > 0) {
    await query(
      em,
      `with r as (select * from jsonb_to_recordset(?::jsonb) as r(i uuid, f numeric, l numeric))
       insert into bundle (issuance_id, previous_last, last, state)
       select i, null, f - 1, 'ROOT' from r union all select i, l, null, 'END' from r`,
      [JSON.stringify(ends)],
    );
  }
  return ids;
}

/** Which of these are stored with exactly this content, by their place in the list. */
export async function sameIssuances(em: EntityManager, issuances: readonly NewIssuance[]): Promise<Set<number>> {
  if (issuances.length === 0) return new Set();
  const rows = await query<{ place: number }>(
    em,
    `select (r.ordinality - 1)::int as place from rows from (jsonb_to_recordset(?::jsonb) as ${recordType}) with ordinality as r
     join (select ${columns} from issuance) s on s.id = r.id where row(${values}) is not distinct from row(s.*)`,
    [JSON.stringify(issuances)],
  );
  return new Set(rows.map((row) => row.place));
}

/** Facility ids by code, of those codes that exist. */
export async function facilityIds(em: EntityManager, codes: readonly string[]): Promise<Map<string, string>> {
  const rows = await query<{ id: string; code: string }>(
    em,
    'select f.id, f.code from jsonb_array_elements_text(?::jsonb) as asked(code) join production_facility f on f.code = asked.code',
    [JSON.stringify([...new Set(codes)])],
  );
  return new Map(rows.map((row) => [row.code, row.id]));
}
