import { describe, expect, test } from '@jest/globals';
import { toApiError } from '../../shared/api/problem.ts';
import {
  pollIntervalMs,
  endpointName,
  needsAttention,
  calculateReplayProgress,
  endpointHealth,
  pollWhileFound,
  toDeliveryFilter,
  type Endpoint,
} from './endpoints.ts';
import { diffEndpoint, readEndpoint, readUtcTime } from './form.ts';

const at = '2026-03-01T12:00:00.000Z';

const endpoint: Endpoint = {
  id: 'w1',
  url: 'https://hooks.nordlys.example/saleschannel',
  description: 'Order system',
  eventTypes: null,
  ordered: false,
  status: 'ENABLED',
  disabledReason: null,
  createdAt: at,
  createdBy: 'u1',
  secrets: [{ createdAt: at, expiresAt: null }],
  position: null,
  pendingDeliveries: 0,
  lastSuccessAt: null,
  lastFailureAt: null,
  failingSince: null,
  replay: null,
};

const createForm = (values: Readonly<Record<string, string>>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.append(name, value);
  return form;
};

const unchanged = { url: endpoint.url, description: 'Order system', which: 'all', ordered: 'no' };

describe('the status of an endpoint', () => {
  test.each([
    [{}, 'unused', false],
    [{ lastSuccessAt: at }, 'works', false],
    [{ lastSuccessAt: at, failingSince: at }, 'failing', true],
    [{ status: 'DISABLED', disabledReason: 'MANUAL', failingSince: at }, 'disabled', false],
    [{ status: 'DISABLED', disabledReason: 'GONE', failingSince: at }, 'gone', true],
    [{ status: 'DISABLED', disabledReason: 'FAILING', failingSince: at }, 'gaveUp', true],
  ] as const)('%p is %p', (known, health, isAttentionNeeded) => {
    expect(endpointHealth({ ...endpoint, ...known })).toBe(health);
    expect(needsAttention({ ...endpoint, ...known })).toBe(isAttentionNeeded);
  });

  test('an endpoint is named by its description, or by its host', () => {
    expect(endpointName(endpoint)).toBe('Order system');
    expect(endpointName({ ...endpoint, description: null })).toBe('hooks.nordlys.example');
    expect(endpointName({ url: 'nowhere', description: null })).toBe('nowhere');
  });

  test('the progress of a replay stays between 0 and 1', () => {
    const [from, to] = ['2026-03-01T00:00:00Z', '2026-03-01T04:00:00Z'];
    expect(calculateReplayProgress({ from, to, position: null })).toBe(0);
    expect(calculateReplayProgress({ from, to, position: '2026-03-01T01:00:00Z' })).toBe(0.25);
    expect(calculateReplayProgress({ from, to, position: '2026-03-02T00:00:00Z' })).toBe(1);
    expect(calculateReplayProgress({ from, to, position: '2026-02-28T00:00:00Z' })).toBe(0);
    expect(calculateReplayProgress({ from, to: from, position: from })).toBe(1);
  });
});

describe('the form of an endpoint', () => {
  test('uses null for all types, and names for selected types', () => {
    expect(
      readEndpoint(createForm({ url: ' https://a.example/ ', description: ' ', which: 'all', ordered: 'yes' })),
    ).toEqual({
      url: 'https://a.example/',
      description: null,
      eventTypes: null,
      ordered: true,
    });
    const chosen = { ...unchanged, which: 'chosen', eventTypes: 'TRANSACTION_STATUS_CHANGE' };
    expect(readEndpoint(createForm(chosen)).eventTypes).toEqual(['TRANSACTION_STATUS_CHANGE']);
    expect(readEndpoint(createForm({ ...unchanged, which: 'chosen' })).eventTypes).toEqual([]);
  });

  test('sends only changes, and null for emptied fields', () => {
    expect(diffEndpoint(createForm(unchanged), endpoint)).toEqual({});
    expect(
      diffEndpoint(createForm({ ...unchanged, url: 'https://b.example/', description: '', ordered: 'yes' }), endpoint),
    ).toEqual({
      url: 'https://b.example/',
      description: null,
      ordered: true,
    });
    const chosen = createForm({ ...unchanged, which: 'chosen', eventTypes: 'TRANSACTION_STATUS_CHANGE' });
    expect(diffEndpoint(chosen, endpoint)).toEqual({ eventTypes: ['TRANSACTION_STATUS_CHANGE'] });
    expect(diffEndpoint(chosen, { ...endpoint, eventTypes: ['TRANSACTION_STATUS_CHANGE'] })).toEqual({});
    expect(diffEndpoint(createForm(unchanged), { ...endpoint, eventTypes: ['TRANSACTION_STATUS_CHANGE'] })).toEqual({
      eventTypes: null,
    });
  });

  test('interprets times as UTC in any time zone', () => {
    expect(readUtcTime(createForm({ from: '2026-03-01T08:30' }), 'from')).toBe('2026-03-01T08:30:00.000Z');
    expect(readUtcTime(createForm({ from: '' }), 'from')).toBeUndefined();
  });
});

test('a delivery is polled until it ends, faster while an attempt is due', () => {
  const now = Date.parse(at);
  expect(pollIntervalMs(undefined, now)).toBe(false);
  expect(pollIntervalMs({ status: 'SUCCESS', nextAttemptAt: null }, now)).toBe(false);
  expect(pollIntervalMs({ status: 'FAILED', nextAttemptAt: null }, now)).toBe(false);
  expect(pollIntervalMs({ status: 'PENDING', nextAttemptAt: at }, now)).toBe(1_000);
  expect(pollIntervalMs({ status: 'PENDING', nextAttemptAt: '2026-03-01T14:00:00Z' }, now)).toBe(5_000);
  expect(pollIntervalMs({ status: 'PENDING', nextAttemptAt: null }, now)).toBe(5_000);
});

test('an endpoint is polled while it exists, and not if it was never read', () => {
  const [gone, unavailable] = [404, 503].map((status) => toApiError(status, {}, new Headers()));
  const pollInterval = (data: unknown, error: Error | null = null) => pollWhileFound({ state: { data, error } });
  expect(pollInterval(endpoint)).toBe(5_000);
  expect(pollInterval(endpoint, unavailable)).toBe(5_000);
  expect(pollInterval(endpoint, gone)).toBe(false);
  expect(pollInterval(undefined, unavailable)).toBe(false);
});

test('deliveries are filtered by status, event and days', () => {
  expect(toDeliveryFilter({})).toBeUndefined();
  expect(toDeliveryFilter({ status: 'FAILED', event: 'e1', to: '2026-02-28' })).toEqual({
    status: { eq: 'FAILED' },
    eventId: { eq: 'e1' },
    createdAt: { lt: '2026-03-01T00:00:00.000Z' },
  });
});
