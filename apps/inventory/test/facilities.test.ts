import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { asRegistry, removeMarkers, createTestDatabase, catchFailure } from '@saleschannel/testing';
import { Client } from 'pg';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory } from './support/inventory.ts';
import { createIssuance, type Facility, type Issuance } from './support/issuances.ts';

/** Members of facilities that issuances fix and keep. */

let inventory: Inventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(async () => {
  await audit(inventory.service).finally(() => inventory.stop());
});

let facilities = 0;
/** A facility with a new code. */
const newFacility = (fields: Facility = {}): Facility & { code: string } => ({
  name: 'Plant',
  country: 'FI',
  methodologyCodes: ['m'],
  supplier: 'First',
  ...fields,
  code: `Fix${String(++facilities).padStart(3, '0')}`,
});
const apply = async (facility: Facility): Promise<string[]> => {
  const [result] = await inventory.applyFacilities(facility);
  const { outcome, problem } = result ?? {};
  if (!problem) return [String(outcome)];
  return problem.violations.map(({ pointer, code }) => `${problem.code} ${pointer} ${code}`);
};
const read = async (code: string) =>
  removeMarkers(await inventory.registryGateway.GetFacility({ code }, await asRegistry()));
const issuanceFrom = (code: string, fields: Issuance = {}) =>
  createIssuance('fixed', { productionFacilityCode: code, salesChannelId: 'fixed', traderId: 'fixed-a', ...fields });
const findListed = async (issuanceId: string): Promise<unknown> =>
  (await inventory.list('fixed-a')).find((bundle) => bundle.issuanceId === issuanceId);
const CREATED = ['OUTCOME_CREATED'];
const UPDATED = ['OUTCOME_UPDATED'];

describe('names', () => {
  test.each([' ', '\ufeff', '\u200b'])('%j is refused as the name of a facility and of a supplier', async (text) => {
    expect(await apply(newFacility({ name: text }))).toEqual(['invalid-request #/name blank']);
    expect(await apply(newFacility({ supplier: text }))).toEqual(['invalid-request #/supplier blank']);
  });

  test('are trimmed and normalized, and all forms of a name are the same supplier', async () => {
    const supplier = 'Ångkraft Öst';
    const forms = [supplier, ` ${supplier.normalize('NFD')} `, `${supplier}\u200b`, supplier.replace('k', 'k\u200d')];
    const facilities = forms.map((form) => newFacility({ supplier: form, name: ` ${form.normalize('NFD')}` }));
    for (const facility of facilities) expect(await apply(facility)).toEqual(CREATED);
    const found = await Promise.all(facilities.map(({ code }) => read(code)));
    expect(new Set(found.map(({ supplierId }) => supplierId)).size).toBe(1);
    expect(found.map(({ supplier: name }) => name)).toEqual(forms.map(() => supplier));
    expect(found[1]?.name).toBe(supplier);
    expect(await apply(facilities[1] ?? {})).toEqual(['OUTCOME_UNCHANGED']);
  });

  test('match suppliers that an older release stored in another form', async () => {
    const id = newId();
    await inventory.service.sql("insert into supplier (id, name, country_code) values ($1, $2, 'FI')", [
      id,
      'A\u030albygd ',
    ]);
    const facility = newFacility({ supplier: 'Ålbygd' });
    await apply(facility);
    expect(await read(facility.code)).toMatchObject({ supplierId: id });
  });

  test('in several forms, applied concurrently, create one supplier', async () => {
    const name = 'Ömse';
    const facilities = [name, name.normalize('NFD'), `Ö\u200dmse`, ` ${name}`].map((supplier) =>
      newFacility({ supplier }),
    );
    await Promise.all(facilities.map(apply));
    const found = await Promise.all(facilities.map(({ code }) => read(code)));
    expect(new Set(found.map(({ supplierId }) => supplierId)).size).toBe(1);
  });
});

describe('a certificate id', () => {
  test('stays as issued when the facility changes', async () => {
    const facility = newFacility();
    await apply(facility);
    const issuance = issuanceFrom(facility.code);
    await inventory.applyIssuances(issuance);
    const before = await findListed(issuance.issuanceId);
    expect(await apply({ ...facility, country: 'SE' })).toEqual(['request-refused #/country contradicts']);
    const changed = { ...facility, name: 'Other', supplier: 'Second', methodologyCodes: ['n'], gsrn: '64' };
    expect(await apply(changed)).toEqual(UPDATED);
    expect(await findListed(issuance.issuanceId)).toEqual(before);
    // Later issuances have the new supplier.
    const later = issuanceFrom(facility.code);
    await inventory.applyIssuances(later);
    const { supplierId } = await read(facility.code);
    expect(await findListed(later.issuanceId)).toMatchObject({ supplierId });
    expect(before).not.toMatchObject({ supplierId });
    expect(await inventory.applyIssuances(issuance)).toMatchObject([{ outcome: 'OUTCOME_UNCHANGED' }]);
  });

  test('keeps its country, even if the country changes during the first issuance', async () => {
    for (let round = 0; round < 10; round++) {
      const facility = newFacility();
      await apply(facility);
      const issuance = issuanceFrom(facility.code);
      const [outcome, [issued]] = await Promise.all([
        apply({ ...facility, country: 'SE' }),
        inventory.applyIssuances(issuance),
      ]);
      expect(issued).toMatchObject({ outcome: 'OUTCOME_CREATED' });
      const country = outcome[0] === 'OUTCOME_UPDATED' ? 'SE' : 'FI';
      expect(await read(facility.code)).toMatchObject({ country });
      expect(await findListed(issuance.issuanceId)).toMatchObject({
        certificates: expect.stringContaining(`_${country}_${facility.code}_`),
      });
    }
  });
});

describe('a facility', () => {
  test('may change its country before the first issuance', async () => {
    const facility = newFacility();
    await apply(facility);
    expect(await apply({ ...facility, country: 'SE' })).toEqual(UPDATED);
  });

  test('keeps its GSRN if none is sent, and refuses another one', async () => {
    const facility = newFacility();
    expect(await apply(facility)).toEqual(CREATED);
    expect(await apply({ ...facility, gsrn: '6430' })).toEqual(UPDATED);
    expect(await apply(facility)).toEqual(['OUTCOME_UNCHANGED']);
    expect(await apply({ ...facility, gsrn: '6431' })).toEqual(['request-refused #/gsrn contradicts']);
    expect(await read(facility.code)).toMatchObject({ gsrn: '6430' });
  });

  test('is found by its code in any case, and keeps the first spelling', async () => {
    const facility = newFacility();
    await apply(facility);
    expect(await apply({ ...facility, code: facility.code.toUpperCase() })).toEqual(['OUTCOME_UNCHANGED']);
    expect(await apply({ ...facility, code: facility.code.toLowerCase(), name: 'Renamed' })).toEqual(UPDATED);
    expect(await read(facility.code.toUpperCase())).toMatchObject({ code: facility.code, name: 'Renamed' });
    const issuance = issuanceFrom(facility.code.toLowerCase());
    expect(await inventory.applyIssuances(issuance)).toMatchObject([{ outcome: 'OUTCOME_CREATED' }]);
    expect(await findListed(issuance.issuanceId)).toMatchObject({
      certificates: expect.stringContaining(`_${facility.code}_`),
    });
  });

  test('gets a new supplier from each of many concurrent updates', async () => {
    const facility = newFacility();
    await apply(facility);
    const suppliers = Array.from({ length: 12 }, (_, index) => `Concurrent supplier ${index}`);
    const outcomes = await Promise.all(suppliers.map((supplier) => apply({ ...facility, supplier })));
    expect(outcomes).toEqual(suppliers.map(() => UPDATED));
    expect(suppliers).toContain((await read(facility.code)).supplier);
  });

  test('is created once for codes in different cases, applied concurrently', async () => {
    const facility = newFacility();
    const codes = [facility.code, facility.code.toUpperCase(), facility.code.toLowerCase()];
    const outcomes = await Promise.all(codes.map((code) => apply({ ...facility, code })));
    expect(outcomes.flat().toSorted()).toEqual(['OUTCOME_CREATED', 'OUTCOME_UNCHANGED', 'OUTCOME_UNCHANGED']);
  });
});

describe('the database refuses', () => {
  const [UNIQUE, FOREIGN, INTEGRITY] = ['23505', '23503', '23000'];
  const facility = newFacility({ gsrn: '6430' });
  beforeAll(async () => {
    await apply(facility);
    await inventory.applyIssuances(issuanceFrom(facility.code));
  });
  const from = `from production_facility where code = '${facility.code}'`;

  test.each([
    ['another country of a facility with issuances', `update production_facility set country_code = 'SE'`, FOREIGN],
    ['another code', `update production_facility set code = 'OTHER1'`, INTEGRITY],
    ['another GSRN', `update production_facility set gsrn = '1'`, INTEGRITY],
    ['removal of a GSRN', `update production_facility set gsrn = null`, INTEGRITY],
    [
      'another name of a supplier',
      `update supplier set name = 'x' where id = (select supplier_id ${from}) --`,
      INTEGRITY,
    ],
    [
      'a code that differs only in case',
      `insert into production_facility (id, code, name, country_code, methodology_codes, supplier_id)
       select 'copy', upper(code), name, country_code, methodology_codes, supplier_id from production_facility`,
      UNIQUE,
    ],
    ['another code of an issuance', `update issuance set facility_code = 'x' from production_facility`, INTEGRITY],
  ])('%s', async (_name, statement, code) => {
    const failure = await catchFailure(inventory.transaction(`${statement} where code = '${facility.code}'`));
    expect(failure).toMatchObject({ code });
  });
});

describe('migration of earlier facilities', () => {
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

  /** Runs each argument in its own transaction. Returns the rows of the last statement. */
  async function runAll(...statements: string[]): Promise<object[]> {
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

  test('gives issuances the members of their facility', async () => {
    const columns = 'facility_code, country_code, gsrn, supplier_id';
    expect(
      await runAll(before, issued, migration('20261122070000-fixed-at-issue'), `select ${columns} from issuance`),
    ).toEqual([{ facility_code: 'AB12cd', country_code: 'FI', gsrn: '6430', supplier_id: 's' }]);
  });

  test('stops at codes that differ only in case, and names them', async () => {
    const failure = await catchFailure(
      runAll(before, facilityRow('g', 'ab12CD'), migration('20261122070000-fixed-at-issue')),
    );
    expect(failure.message).toContain('AB12cd');
    expect(failure.message).toContain('ab12CD');
  });
});
