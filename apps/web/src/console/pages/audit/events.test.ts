import { expect, test } from '@jest/globals';
import { describeActor, describeParts } from './events.ts';

test('puts the kind before the id, in any order of members', () => {
  expect(describeParts({ id: 'cm7', type: 'user' })).toBe('user cm7');
  expect(describeParts({ kind: 'operator' })).toBe('operator');
});

test('names the actor once, in short', () => {
  expect(describeActor({ kind: 'operator', id: 'olga' })).toBe('operator olga');
  expect(describeActor({ kind: 'operator', id: 'operator' })).toBe('operator');
  expect(describeActor({ kind: 'operator' })).toBe('operator');
  expect(describeActor({ kind: 'registry-key', keyId: 'cm7q2a3vb0008x9f2r6u1k5ci' })).toBe(
    'registry-key cm7q2a…u1k5ci',
  );
});
