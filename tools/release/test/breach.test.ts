import { expect, test } from '@jest/globals';
import { refuseBreach } from '../breach.ts';

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
