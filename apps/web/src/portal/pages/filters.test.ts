import { expect, test } from '@jest/globals';
import { toApiFilter as bundleFilter } from '../transfers/filter.ts';
import { diffTrader, readTrader } from './traders/trader-changes.ts';
import { toApiFilter as transactionFilter } from './transactions/filter.ts';
import { toApiFilter as deliveryFilter } from './webhook/deliveries-list.ts';

test('bundle filters compare for equality', () => {
  expect(bundleFilter({ trader: 't1' })).toBeUndefined();
  expect(bundleFilter({ trader: 't1', vintage: '2024', methodologyCode: 'NCR200+' })).toEqual({
    vintage: { eq: '2024' },
    methodologyCode: { eq: 'NCR200+' },
  });
});

test('transaction days include their last moment, and invalid days are ignored', () => {
  expect(transactionFilter({})).toBeUndefined();
  expect(transactionFilter({ type: 'TRADE', trader: 't1', from: '2026-02-27', to: '2026-02-28' })).toEqual({
    type: { eq: 'TRADE' },
    traderId: { eq: 't1' },
    createdAt: { gte: '2026-02-27T00:00:00.000Z', lt: '2026-03-01T00:00:00.000Z' },
  });
  expect(transactionFilter({ from: 'yesterday' })).toBeUndefined();
  expect(transactionFilter({ reference: 'PO 4711' })).toEqual({ externalReference: { eq: 'PO 4711' } });
});

test('deliveries are filtered by status, event and days', () => {
  expect(deliveryFilter({})).toBeUndefined();
  expect(deliveryFilter({ status: 'FAILED', event: 'e1', to: '2026-02-28' })).toEqual({
    status: { eq: 'FAILED' },
    eventId: { eq: 'e1' },
    createdAt: { lt: '2026-03-01T00:00:00.000Z' },
  });
});

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
