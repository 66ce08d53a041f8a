import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { eventually } from '@saleschannel/testing';
import { accountHolderBody, issuanceBody } from '../support/api.ts';
import { expectIntact, deepArray, deepObject, useBadInput } from '../support/bad-input.ts';

/** Files of the registry import API. */

const world = useBadInput();

interface State {
  importId: string;
  status: string;
  linesRead: number;
  linesApplied: number;
  linesFailed: number;
}

async function runImport(body: Buffer | string, type: 'application/x-ndjson' | 'text/csv', query = ''): Promise<State> {
  const headers: [string, string][] = [
    ['Authorization', world().registryAuthorization],
    ['Content-Type', type],
  ];
  const { status, text } = await world().raw({
    method: 'POST',
    target: `/Registry/api/imports${query}`,
    headers,
    body,
  });
  expect(status).toBe(202);
  const { importId } = JSON.parse(text) as State;
  return eventually(async () => {
    const state = await world().system.registry.ok<State>('GET', `/Registry/api/imports/${importId}`);
    await world().system.registry.ok('GET', `/Registry/api/imports/${importId}/errors`);
    return (state.status === 'COMPLETED' || state.status === 'FAILED') && state;
  }, 'the end of the import');
}

test('files with invalid lines complete, with an error per line', async () => {
  const holder = JSON.stringify({ type: 'account-holder', ...accountHolderBody() });
  const lines: (string | Buffer)[] = [
    '{',
    'null',
    '1',
    '[]',
    '"x"',
    '{}',
    '{"type":"other"}',
    '{"type":"account-holder"}',
    deepObject(1_000),
    deepArray(100_000),
    holder.replace('Basalt', '\\u0000'),
    holder.replace('Basalt', '\\ud800'),
    holder.replace('Basalt', '\0'),
    Buffer.from([0x7b, 0xff, 0x7d]),
    holder.replace('"name":', '"name":"a","name":'),
    holder.replace('"name":', '"tpyo":1,"name":'),
    JSON.stringify({
      type: 'issuance',
      ...issuanceBody(world().system.channels[0], { firstSerial: '9'.repeat(39) }),
    }),
    JSON.stringify({ type: 'issuance', ...issuanceBody(world().system.channels[0], { issuanceId: 'x' }) }),
    JSON.stringify({ type: 'issuance', ...issuanceBody(world().system.channels[0], { vintage: Infinity }) }),
    JSON.stringify({ type: 'issuance', ...issuanceBody(world().system.channels[0], { lastSerial: '9'.repeat(38) }) }),
    JSON.stringify({ type: 'issuance', ...issuanceBody(world().system.channels[0], { standard: '\u{0}' }) }),
    JSON.stringify({
      type: 'production-facility',
      code: 'toolong',
      name: 'x',
      country: 'FI',
      methodologyCodes: [],
      supplier: 'x',
    }),
    JSON.stringify({
      type: 'production-facility',
      code: 'ODD001',
      name: 'x\u{0}',
      country: 'FI',
      methodologyCodes: [],
      supplier: 'x',
    }),
    'x'.repeat(1_100_000),
  ];
  const file = Buffer.concat([...lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]), Buffer.from(holder)]);
  // The last of two members with the same name counts, as usual in JSON.
  const applied = 2;
  expect(await runImport(file, 'application/x-ndjson')).toMatchObject({
    status: 'COMPLETED',
    linesRead: lines.length + 1,
    linesApplied: applied,
    linesFailed: lines.length + 1 - applied,
  });
});

const byteOrderMark = '\u{feff}';
const bytes = Buffer.from(Array.from({ length: 2_000 }, (_, index) => (index * 7919) % 256));
test.each([
  ['empty', ''],
  ['of line ends', '\n\n\r\n'],
  ['of one NUL', '\0'],
  ['of bytes', bytes],
  ['with a byte order mark', `${byteOrderMark}${JSON.stringify({ type: 'account-holder', ...accountHolderBody() })}\n`],
])('a file %s', async (_, body) => {
  const files = [await runImport(body, 'application/x-ndjson'), await runImport(body, 'text/csv', '?type=issuance')];
  for (const { status } of files) expect(['COMPLETED', 'FAILED']).toContain(status);
});

test('arbitrary text as CSV', () =>
  fc.assert(
    fc.asyncProperty(
      fc
        .array(
          fc
            .array(
              fc.oneof(
                fc.string({ maxLength: 12, unit: 'binary' }),
                fc.constantFrom('name', 'businessId', 'address.city', '"', '""', '\0'),
              ),
            )
            .map((cells) => cells.join(',')),
        )
        .map((rows) => rows.join('\n')),
      async (text) => {
        expect(['COMPLETED', 'FAILED']).toContain((await runImport(text, 'text/csv', '?type=account-holder')).status);
      },
    ),
    { numRuns: 25 },
  ));

test('afterwards the system works', () => expectIntact(world()));
