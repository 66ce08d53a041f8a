import { Client } from 'pg';

/**
 * Gives the owner of an issuance this number of further issuances, each with one bundle of 1 to 997 certificates, over
 * ten vintages, with ids derived from the first one's. The registry API would take minutes for 100,000. They have no
 * transactions, so an audit would report them.
 */
export async function addBundles(databaseUrl: string, issuanceId: string, count: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    await client.query(
      `create temporary table made on commit drop as
       select overlay(overlay(md5($2::text || n) placing '4' from 13) placing '9' from 17)::uuid as id, n,
         1 + n * 7919 % 997 as volume from generate_series(1, $1::int) as n`,
      [count, issuanceId],
    );
    await client.query(
      `insert into issuance (
         id, facility_id, facility_code, country_code, gsrn, supplier_id, standard, registry, credit_type,
         credit_type_id, methodology_code, vintage, production_start, production_end, issuing_date, expiration_date,
         first_serial, last_serial, serial_width, account_holder_id, sales_channel_id, trader_id
       )
       select made.id, facility_id, facility_code, country_code, gsrn, supplier_id, standard, registry, credit_type,
         credit_type_id, methodology_code, 2016 + n % 10, production_start, production_end,
         issuing_date - n * interval '1 minute', expiration_date, 1, volume, serial_width, account_holder_id,
         sales_channel_id, trader_id
       from issuance as alike, made where alike.id = $1`,
      [issuanceId],
    );
    await client.query(
      `insert into bundle (issuance_id, previous_last, last, state, owner_id, sales_channel_id)
       select made.id, 0, volume, 'LISTABLE', owner_id, sales_channel_id
       from made, (select owner_id, sales_channel_id from bundle where issuance_id = $1 and state = 'LISTABLE') as alike
       union all select id, null, 0, 'ROOT', null, null from made
       union all select id, volume, null, 'END', null, null from made`,
      [issuanceId],
    );
    await client.query('commit');
    await client.query('vacuum analyze issuance, bundle');
  } finally {
    await client.end();
  }
}
