import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { asRegistry, bare, createTestDatabase, failureOf } from '@saleschannel/testing';
import { Client } from 'pg';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory } from './support/inventory.ts';
import { issuanceOf, type Facility, type Issuance } from './support/issuances.ts';

/** What is fixed of a facility, and what was issued keeps of it. */

let inventory: Inventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(async () => {
  await audit(inventory.service).finally(() => inventory.stop());
});

let facilities = 0;
/** A facility of a test's own. */
const newFacility = (fields: Facility = {}): Facility & { code: string } => ({
  name: 'Plant',
  country: 'FI',
  methodologyCodes: ['m'],
  supplier: 'First',
  ...fields,
  code: `Fix${String(++facilities).padStart(3, '0')}`,
});
const put = async (facility: Facility): Promise<string[]> => {
  const [result] = await inventory.applyFacilities(facility);
  const { outcome, problem } = result ?? {};
  if (!problem) return [String(outcome)];
  return problem.violations.map(({ pointer, code }) => `${problem.code} ${pointer} ${code}`);
};
const read = async (code: string) => bare(await inventory.registryGateway.GetFacility({ code }, await asRegistry()));
const issuanceFrom = (code: string, fields: Issuance = {}) =>
  issuanceOf('fixed', { productionFacilityCode: code, salesChannelId: 'fixed', traderId: 'fixed-a', ...fields });
const listed = async (issuanceId: string): Promise<unknown> =>
  (await inventory.list('fixed-a')).find((bundle) => bundle.issuanceId === issuanceId);
const CREATED = ['OUTCOME_CREATED'];
const UPDATED = ['OUTCOME_UPDATED'];

describe('names', () => {
  test.each([' ', '\ufeff', '\u200b'])('%j is refused as the name of a facility and of a supplier', async (text) => {
    expect(await put(newFacility({ name: text }))).toEqual(['invalid-request #/name blank']);
    expect(await put(newFacility({ supplier: text }))).toEqual(['invalid-request #/supplier blank']);
  });

  test('are trimmed and composed, and a supplier is the same in all forms of its name', async () => {
    const supplier = 'Ångkraft Öst';
    const forms = [supplier, ` ${supplier.normalize('NFD')} `, `${supplier}\u200b`, supplier.replace('k', 'k\u200d')];
    const facilities = forms.map((form) => newFacility({ supplier: form, name: ` ${form.normalize('NFD')}` }));
    for (const facility of facilities) expect(await put(facility)).toEqual(CREATED);
    const found = await Promise.all(facilities.map(({ code }) => read(code)));
    expect(new Set(found.map(({ supplierId }) => supplierId)).size).toBe(1);
    expect(found.map(({ supplier: name }) => name)).toEqual(forms.map(() => supplier));
    expect(found[1]?.name).toBe(supplier);
    // The registry sends it again.
    expect(await put(facilities[1] ?? {})).toEqual(['OUTCOME_UNCHANGED']);
  });

  test('of suppliers that an older release stored in another form are the same', async () => {
    const id = newId();
    await inventory.service.sql("insert into supplier (id, name, country_code) values ($1, $2, 'FI')", [
      id,
      'A\u030albygd ',
    ]);
    const facility = newFacility({ supplier: 'Ålbygd' });
    await put(facility);
    expect(await read(facility.code)).toMatchObject({ supplierId: id });
  });

  test('at once in several forms make one supplier', async () => {
    const name = 'Ömse';
    const facilities = [name, name.normalize('NFD'), `Ö\u200dmse`, ` ${name}`].map((supplier) =>
      newFacility({ supplier }),
    );
    await Promise.all(facilities.map(put));
    const found = await Promise.all(facilities.map(({ code }) => read(code)));
    expect(new Set(found.map(({ supplierId }) => supplierId)).size).toBe(1);
  });
});

describe('a certificate id', () => {
  test('stays as it was issued, whatever becomes of the facility', async () => {
    const facility = newFacility();
    await put(facility);
    const issuance = issuanceFrom(facility.code);
    await inventory.applyIssuances(issuance);
    const before = await listed(issuance.issuanceId);
    expect(await put({ ...facility, country: 'SE' })).toEqual(['request-refused #/country contradicts']);
    const changed = { ...facility, name: 'Other', supplier: 'Second', methodologyCodes: ['n'], gsrn: '64' };
    expect(await put(changed)).toEqual(UPDATED);
    expect(await listed(issuance.issuanceId)).toEqual(before);
    // What is issued from now on is issued under the new supplier.
    const later = issuanceFrom(facility.code);
    await inventory.applyIssuances(later);
    const { supplierId } = await read(facility.code);
    expect(await listed(later.issuanceId)).toMatchObject({ supplierId });
    expect(before).not.toMatchObject({ supplierId });
    // The registry sends it again.
    expect(await inventory.applyIssuances(issuance)).toMatchObject([{ outcome: 'OUTCOME_UNCHANGED' }]);
  });

  test('keeps the country, also when it changes while the first issuance is made', async () => {
    for (let round = 0; round < 10; round++) {
      const facility = newFacility();
      await put(facility);
      const issuance = issuanceFrom(facility.code);
      const [said, [issued]] = await Promise.all([
        put({ ...facility, country: 'SE' }),
        inventory.applyIssuances(issuance),
      ]);
      expect(issued).toMatchObject({ outcome: 'OUTCOME_CREATED' });
      const country = said[0] === 'OUTCOME_UPDATED' ? 'SE' : 'FI';
      expect(await read(facility.code)).toMatchObject({ country });
      expect(await listed(issuance.issuanceId)).toMatchObject({
        certificates: expect.stringContaining(`_${country}_${facility.code}_`),
      });
    }
  });
});

describe('a facility', () => {
  test('may change its country until something was issued from it', async () => {
    const facility = newFacility();
    await put(facility);
    expect(await put({ ...facility, country: 'SE' })).toEqual(UPDATED);
  });

  test('keeps its GSRN: left out it stays, another one is refused', async () => {
    const facility = newFacility();
    expect(await put(facility)).toEqual(CREATED);
    expect(await put({ ...facility, gsrn: '6430' })).toEqual(UPDATED);
    expect(await put(facility)).toEqual(['OUTCOME_UNCHANGED']);
    expect(await put({ ...facility, gsrn: '6431' })).toEqual(['request-refused #/gsrn contradicts']);
    expect(await read(facility.code)).toMatchObject({ gsrn: '6430' });
  });

  test('is named by its code in upper and lower case, and keeps it as it was written first', async () => {
    const facility = newFacility();
    await put(facility);
    expect(await put({ ...facility, code: facility.code.toUpperCase() })).toEqual(['OUTCOME_UNCHANGED']);
    expect(await put({ ...facility, code: facility.code.toLowerCase(), name: 'Renamed' })).toEqual(UPDATED);
    expect(await read(facility.code.toUpperCase())).toMatchObject({ code: facility.code, name: 'Renamed' });
    const issuance = issuanceFrom(facility.code.toLowerCase());
    expect(await inventory.applyIssuances(issuance)).toMatchObject([{ outcome: 'OUTCOME_CREATED' }]);
    expect(await listed(issuance.issuanceId)).toMatchObject({
      certificates: expect.stringContaining(`_${facility.code}_`),
    });
  });

  test('is made once by codes of both cases at once', async () => {
    const facility = newFacility();
    const codes = [facility.code, facility.code.toUpperCase(), facility.code.toLowerCase()];
    const said = await Promise.all(codes.map((code) => put({ ...facility, code })));
    expect(said.flat().toSorted()).toEqual(['OUTCOME_CREATED', 'OUTCOME_UNCHANGED', 'OUTCOME_UNCHANGED']);
  });
});

describe('the database refuses', () => {
  const [UNIQUE, FOREIGN, INTEGRITY] = ['23505', '23503', '23000'];
  const facility = newFacility({ gsrn: '6430' });
  beforeAll(async () => {
    await put(facility);
    await inventory.applyIssuances(issuanceFrom(facility.code));
  });
  const from = `from production_facility where code = '${facility.code}'`;

  test.each([
    ['another country of a facility with issuances', `update production_facility set country_code = 'SE'`, FOREIGN],
    ['another code', `update production_facility set code = 'OTHER1'`, INTEGRITY],
    ['another GSRN', `update production_facility set gsrn = '1'`, INTEGRITY],
    ['a GSRN gone', `update production_facility set gsrn = null`, INTEGRITY],
    [
      'another name of a supplier',
      `update supplier set name = 'x' where id = (select supplier_id ${from}) --`,
      INTEGRITY,
    ],
    [
      'a code of other case',
      `insert into production_facility (id, code, name, country_code, methodology_codes, supplier_id)
       select 'copy', upper(code), name, country_code, methodology_codes, supplier_id from production_facility`,
      UNIQUE,
    ],
    ['another code of an issuance', `update issuance set facility_code = 'x' from production_facility`, INTEGRITY],
  ])('%s', async (_name, statement, code) => {
    const failure = await failureOf(inventory.transaction(`${statement} where code = '${facility.code}'`));
    expect(failure).toMatchObject({ code });
  });
});

describe('what was there before these rules', () => {
  const migration = (name: string): string =>
    readFileSync(new URL(`../src/store/migrations/${name}.sql`, import.meta.url), 'utf8');
  const facilityRow = (id: string, code: string): string => `
    insert into production_facility (id, code, gsrn, name, country_code, methodology_codes, supplier_id)
    values ('${id}', '${code}', '6430', 'Plant', 'FI', '[]', 's')`;
  const before = `
    ${migration('20261121000001-ledger')};
    insert into supplier (id, name, country_code) values ('s', 'Supplier', 'FI');
    ${facilityRow('f', 'AB12cd')};`;
  const issued = `
    insert into issuance (
      id, facility_id, standard, registry, credit_type, credit_type_id, methodology_code, vintage, production_start,
      production_end, issuing_date, first_serial, last_serial, serial_width, account_holder_id
    ) values (
      '00000000-0000-4000-8000-000000000003', 'f', 'S', 'R', 'C', 'C', 'm', 2024, now(), now(), now(), 1, 10, 0, 'h'
    );
    insert into bundle (issuance_id, previous_last, last, state, owner_id) values
      ('00000000-0000-4000-8000-000000000003', null, 0, 'ROOT', null),
      ('00000000-0000-4000-8000-000000000003', 0, 10, 'HELD', 'h'),
      ('00000000-0000-4000-8000-000000000003', 10, null, 'END', null);`;

  /** The rows of the last statement, each statement list in a transaction of its own. */
  async function rowsOf(...statements: string[]): Promise<object[]> {
    const database = await createTestDatabase();
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      let rows: object[] = [];
      for (const statement of statements) ({ rows } = await client.query<object>(statement));
      return rows;
    } finally {
      await client.end();
      await database.drop();
    }
  }

  test('what was issued gets what its facility is', async () => {
    const columns = 'facility_code, country_code, gsrn, supplier_id';
    expect(
      await rowsOf(before, issued, migration('20261122070000-fixed-at-issue'), `select ${columns} from issuance`),
    ).toEqual([{ facility_code: 'AB12cd', country_code: 'FI', gsrn: '6430', supplier_id: 's' }]);
  });

  test('codes that differ in case alone stop the migration, which names them', async () => {
    const failure = await failureOf(
      rowsOf(before, facilityRow('g', 'ab12CD'), migration('20261122070000-fixed-at-issue')),
    );
    expect(failure.message).toContain('AB12cd');
    expect(failure.message).toContain('ab12CD');
  });
});
