import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isIntegrationEventType, readIntegrationEvent } from '../src/index.ts';
import { samples } from './support/samples.ts';

/** Messages that the last release of each service sent, recorded by `npm run release`. */
interface Released {
  readonly schema: object;
  readonly samples: readonly unknown[];
}

const folder = join(import.meta.dirname, '../../../released');
const released = globSync('*.json', { cwd: folder }).flatMap((file) => {
  const { events = {} } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { events?: Record<string, Released> };
  return Object.entries(events);
});
const current: Readonly<Record<string, readonly unknown[]>> = samples;

test.each(released)('messages of the last release are readable: %s', (type, { samples: old }) => {
  if (!isIntegrationEventType(type))
    throw new Error(`No service reads ${type} any more, although the last release sends it.`);
  for (const sample of old) expect(readIntegrationEvent(type, sample)).toMatchObject({ type, event: sample });
});

test.each(released)('the last release reads current messages: %s', (type, { schema }) => {
  const validate = new Ajv2020({ strict: false, allErrors: true }).compile(schema);
  for (const sample of current[type] ?? []) {
    validate(sample);
    expect({ sample, errors: validate.errors ?? [] }).toEqual({ sample, errors: [] });
  }
});

test.each(Object.entries(current))('the samples are current messages: %s', (type, messages) => {
  if (!isIntegrationEventType(type)) throw new Error(`${type} is not an event type.`);
  for (const sample of messages) expect(readIntegrationEvent(type, sample)).toEqual({ type, event: sample });
});

test('new members are ignored, and new types are unknown', () => {
  const [known] = samples['rbac.binding.changed.v1'];
  const newer = { ...known, changedBy: 'u1' };
  expect(readIntegrationEvent('rbac.binding.changed.v1', newer)).toEqual({
    type: 'rbac.binding.changed.v1',
    event: known,
  });
  expect(isIntegrationEventType('rbac.binding.changed.v2')).toBe(false);
  expect(isIntegrationEventType('toString')).toBe(false);
});

test.each([
  ['a missing member', { taskId: 't' }],
  ['a value of another type', { ...samples['rbac.binding.changed.v1'][0], userId: 5 }],
  ['not an object', 7],
])('%s makes an event unreadable', (_what, value) => {
  expect(readIntegrationEvent('rbac.binding.changed.v1', value)).toBeUndefined();
});

test('a transfer without a member that its type requires is unreadable', () => {
  const [trade] = samples['tasks.transfer.requested.v1'];
  for (const type of ['RETIREMENT', 'OFFRAMP', 'GIFT', undefined]) {
    expect(readIntegrationEvent('tasks.transfer.requested.v1', { ...trade, type })).toBeUndefined();
  }
  expect(readIntegrationEvent('tasks.transfer.requested.v1', { ...trade, buyerId: undefined })).toBeUndefined();
});
