import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { toComparisonKey } from '@saleschannel/primitives/validation';
import { catchFailure } from '@saleschannel/testing';
import { array, assert, asyncProperty, constantFrom, oneof, string } from 'fast-check';
import { csv, ndjson, address, facilityLine, holderContent, holderLine, issuanceLine } from './support/records.ts';
import { counts, startRegistryImport, type RegistryImport } from './support/registry-import.ts';

/** Names and texts are trimmed, in NFC and not blank. All forms of a business id are equal. */

let registry: RegistryImport;
beforeAll(async () => {
  registry = await startRegistryImport();
});
afterAll(() => registry.stop());

const composed = (number: number) => `Å-${number}`;
const forms = (id: string) => [id, id.normalize('NFD'), ` ${id}\u200b`, `${id}\ufeff`, id.replace('-', '-\u200d')];

describe.each([' ', '\ufeff', '\u200b'])('a text of %j', (text) => {
  test.each([
    [{ name: text }, '#/name'],
    [{ businessId: text }, '#/businessId'],
    [{ address: { ...address, city: text } }, '#/address/city'],
    [{ address: { ...address, country: text } }, '#/address/country'],
  ])('is refused in an account holder: %j', async (fields, pointer) => {
    expect(await catchFailure(registry.create({ ...holderContent('BLANK'), ...fields }))).toMatchObject({
      code: 'invalid-request',
      violations: [{ pointer, code: 'blank' }],
    });
  });

  test('is an error of its import line that names the member', async () => {
    const detail = 'must contain visible text';
    const lines = await registry.importFile(
      ndjson(
        holderLine('BLANK-1'),
        { ...holderLine('BLANK-2'), name: text },
        { ...holderLine('BLANK-3'), address: { ...address, street1: text } },
        { ...facilityLine('BLANKS'), supplier: text },
      ),
    );
    expect(counts(lines)).toMatchObject({ applied: 1, failed: 3 });
    expect(await registry.errorsOf(lines.importId)).toEqual([
      { line: 2, code: 'blank', detail: `name: ${detail}` },
      { line: 3, code: 'blank', detail: `address.street1: ${detail}` },
      { line: 4, code: 'blank', detail: `supplier: ${detail}` },
    ]);
  });
});

test('texts from every source are stored trimmed and composed', async () => {
  const id = composed(1);
  const { accountHolder } = await registry.create({
    ...holderContent(` ${id.normalize('NFD')}`),
    name: ' A\u030a\u200b ',
  });
  expect(accountHolder).toMatchObject({ businessId: id, name: 'Å' });
  for (const businessId of forms(id))
    expect(await registry.create({ ...holderContent(businessId), name: 'A\u030a' })).toEqual({
      accountHolder,
      created: false,
    });
  expect(await catchFailure(registry.create({ ...holderContent(id), name: 'A' }))).toMatchObject({
    code: 'request-refused',
  });
});

test('an import finds an account holder by any form of its business id', async () => {
  const id = composed(2);
  const [first = '', ...others] = forms(id);
  const file = ndjson(
    holderLine(first, 'Forms'),
    facilityLine('FORMS1'),
    ...others.map((businessId) => holderLine(businessId, 'Forms')),
    ...forms(id).map((businessId, index) => issuanceLine(900 + index, 'FORMS1', businessId)),
  );
  expect(counts(await registry.importFile(file))).toMatchObject({ failed: 0, applied: 11 });
  const { accountHolders } = await registry.list({ limit: 100 });
  expect(accountHolders.filter(({ businessId }) => toComparisonKey(businessId) === id)).toHaveLength(1);
  const table = [
    'businessId,name,address.postalCode,address.city,address.country,address.street1',
    `${id.normalize('NFD')} ,Other,1,Oslo,Norway,x`,
  ].join('\n');
  const done = await registry.importFile(table, csv('account-holder'));
  expect(await registry.errorsOf(done.importId)).toMatchObject([{ line: 2, code: 'contradicts-stored' }]);
});

test('account holders stored in another form by an older release are equal', async () => {
  const id = composed(3);
  const { accountHolder } = await registry.create(holderContent(id, 'Åre'));
  const older = `${id.normalize('NFD')} `;
  await registry.service.sql('update account_holder set business_id = $1, name = $2 where business_id = $3', [
    older,
    'A\u030are\u200b',
    id,
  ]);
  for (const businessId of forms(id)) {
    const again = await registry.create(holderContent(businessId, 'Åre'));
    expect(again).toMatchObject({ created: false, accountHolder: { accountHolderId: accountHolder.accountHolderId } });
    expect((await registry.list({ limit: 100 }, { businessId })).accountHolders).toHaveLength(1);
  }
  const { accountHolder: other } = await registry.create(holderContent('OTHER-3'));
  expect(await catchFailure(registry.update(other.accountHolderId, { businessId: id }))).toMatchObject({
    code: 'request-refused',
  });
});

test('concurrent creations in several forms create one account holder', async () => {
  const all = await Promise.all(
    [...forms(composed(4)), ...forms(composed(4))].map((businessId) =>
      registry.create(holderContent(businessId, 'Forms')),
    ),
  );
  expect(new Set(all.map(({ accountHolder }) => accountHolder.accountHolderId)).size).toBe(1);
  expect(all.filter(({ created }) => created)).toHaveLength(1);
});

test('the database compares texts like the services', async () => {
  const sqlKeys = async (values: readonly string[]) =>
    (
      await registry.service.sql<{ key: string }>(
        `select comparison_key(value) as key from unnest($1::text[]) with ordinality as given (value, place)
         order by place`,
        [values],
      )
    ).map(({ key }) => key);
  const unit = oneof(
    constantFrom(
      ' ',
      '\u00a0',
      '\u2800',
      '\u3000',
      '\u0301',
      '\u030a',
      'A',
      'Å',
      '\u200b',
      '\u200d',
      '\ufe0f',
      '\ufeff',
    ),
    string({ unit: 'grapheme', minLength: 1, maxLength: 2 }),
  );
  const text = array(unit, { maxLength: 8 }).map((parts) => parts.join(''));
  await assert(
    asyncProperty(array(text, { minLength: 1, maxLength: 50 }), async (values) => {
      expect(await sqlKeys(values)).toEqual(values.map(toComparisonKey));
    }),
    { numRuns: 20 },
  );
  const everywhere = [
    0x80, 0xfff, 0x1800, 0x2fff, 0x3000, 0xd7ff, 0xe000, 0xffff, 0x1bc00, 0x1bcff, 0x1d100, 0x1d1ff, 0xe0000, 0xe1000,
  ];
  for (let index = 0; index < everywhere.length; index += 2) {
    const [from = 0, to = 0] = everywhere.slice(index);
    const values = Array.from({ length: to - from + 1 }, (_, offset) => `a${String.fromCodePoint(from + offset)}b`);
    expect(await sqlKeys(values)).toEqual(values.map(toComparisonKey));
  }
});
