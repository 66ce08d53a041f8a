import { expect, test } from '@jest/globals';
import { diffTrader, readTrader } from './trader-changes.ts';

const createForm = (values: Record<string, string>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
};

test('reads a trader from a form, without empty fields', () => {
  expect(readTrader(createForm({ name: ' Nordlys ', businessId: 'NO-1', city: 'Bergen', street: ' ' }))).toEqual({
    name: 'Nordlys',
    businessId: 'NO-1',
    address: { city: 'Bergen' },
  });
});

test('sends only changes of a trader, and null for emptied fields', () => {
  const before = { id: 't1', name: 'Nordlys', businessId: 'NO-1', address: { city: 'Bergen', street: 'Kai 1' } };
  const same = { name: 'Nordlys', businessId: 'NO-1', city: 'Bergen', street: 'Kai 1' };
  expect(diffTrader(createForm(same), before)).toEqual({});
  expect(diffTrader(createForm({ ...same, name: 'Nordlys AS', city: 'Oslo', street: '' }), before)).toEqual({
    name: 'Nordlys AS',
    address: { city: 'Oslo', street: null },
  });
});
