import { expect, test } from '@jest/globals';
import { auditActions } from '@saleschannel/audit/actions';
import { actionChoices, describeAction, parseOrder } from './actions.ts';

test('every action has a distinct description and can be chosen', () => {
  expect(new Set(actionChoices.map(([action]) => action))).toEqual(new Set(auditActions));
  expect(new Set(actionChoices.map(([, words]) => words)).size).toBe(auditActions.length);
  expect(describeAction('rbac.role.granted')).toBe('Role granted');
  expect(describeAction('rbac.role.invented-later')).toBe('rbac.role.invented-later');
});

test('a trail is shown newest first unless the address differs', () => {
  expect([undefined, 'desc', 'nonsense', 'asc'].map(parseOrder)).toEqual(['desc', 'desc', 'desc', 'asc']);
});
