import { expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { refuseBreach } from '../records.ts';
import { Workspace } from './support/workspace.ts';

const breach = { element: 'Thing.amount', rule: 'RESPONSE_FIELD_REMOVED', message: 'The field is gone.' };
const judged = {
  unit: 'gateway',
  kind: 'openapi',
  version: '1.2.0',
  deprecated: { 'Thing.amount': '2026-01-01' },
  isMajorPlanned: true,
  today: new Date('2026-07-01'),
} as const;

test('a major step may remove an element that was deprecated long enough', () => {
  expect(refuseBreach(breach, judged)).toBeUndefined();
});

test('without a major step the refusal names the field and the rule', () => {
  expect(refuseBreach(breach, { ...judged, isMajorPlanned: false })).toBe(
    'gateway: openapi: Thing.amount: RESPONSE_FIELD_REMOVED: The field is gone. ' +
      'It needs a version plan with "gateway: major".',
  );
});

test('a day too early it is refused', () => {
  expect(refuseBreach(breach, { ...judged, today: new Date('2026-06-29') })).toContain(
    'to wait until 2026-06-30 (deprecated since 2026-01-01)',
  );
});

test('an element that was never deprecated is refused', () => {
  expect(refuseBreach(breach, { ...judged, deprecated: {} })).toContain(
    '180 days as deprecated (gateway@1.2.0 does not mark it as deprecated)',
  );
});

interface Contract {
  components: { schemas: Record<string, { properties?: Record<string, unknown> }> };
}

const LINE_OF_NAME = /^ {2}string name = \d+;\n/m;
const LONG_AGO = '2020-01-01';

/** Deletes the field `name` of the message Trader. */
function breakProto(workspace: Workspace): void {
  const file = 'protos/traders/v1/traders.proto';
  const text = workspace.read(file);
  const start = text.indexOf('message Trader {');
  const found = LINE_OF_NAME.exec(text.slice(start));
  if (!found) throw new Error('traders.v1.Trader has no name');
  workspace.write(file, text.slice(0, start) + text.slice(start).replace(LINE_OF_NAME, ''));
}

function breakPublicContract(workspace: Workspace): void {
  const file = 'apps/gateway/openapi/openapi.yaml';
  const contract = parse(workspace.read(file)) as Contract;
  const { properties } = contract.components.schemas.Trader ?? {};
  if (!properties || !('id' in properties)) throw new Error('Trader has no id');
  delete properties.id;
  workspace.write(file, stringify(contract));
}

function breakEvent(workspace: Workspace): void {
  const file = 'libs/contracts/src/integration-events.ts';
  workspace.replace(file, "outcome: z.enum(['RESERVED', ", "outcome: z.enum(['RESERVED', 'LOST', ");
}

test('each service must keep the promises of its last release', () => {
  using workspace = Workspace.make();
  breakProto(workspace);
  breakPublicContract(workspace);
  breakEvent(workspace);

  const { status, output } = workspace.run('release', 'check');
  expect(status).toBe(1);
  const lines = output.split('\n');
  const of = (start: string): string | undefined => lines.find((line) => line.startsWith(start));
  expect(of('traders: protos: traders.v1.Trader.name: FIELD_NO_DELETE')).toContain(
    'It needs a version plan with "traders: major", and 30 days as deprecated',
  );
  expect(of('gateway: openapi: Trader.id: RESPONSE_FIELD_REMOVED')).toContain('"gateway: major"');
  expect(of('inventory: events: inventory.transfer.reported.v1.outcome: RESPONSE_ENUM_WIDENED')).toContain('"LOST"');

  const release = JSON.parse(workspace.read('released/traders.json')) as object;
  const deprecated = { 'traders.v1.Trader.name': LONG_AGO };
  workspace.write('released/traders.json', JSON.stringify({ ...release, deprecated }));
  workspace.run('release', 'plan', 'major', 'Traders have no names.', 'traders');
  const again = workspace.run('release', 'check');
  expect(again.output).not.toContain('traders: protos');
  expect(again.output).toContain('gateway: openapi');
});
