import type { KeyObject } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Sealer, sealingKeys } from '@saleschannel/auth';
import type { Database } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { asUser, callAs, catchFailure, openTestDatabase } from '@saleschannel/testing';
import { toSigningKey } from '../src/domain/delivery.ts';
import { createKeyOpener, resealSecrets } from '../src/operations/secrets.ts';
import { schema } from '../src/store/schema.ts';
import { startWebhooks, testSealingKey, type Webhooks } from './support/webhooks.ts';

describe('endpoints', () => {
  let webhooks: Webhooks;
  beforeAll(async () => {
    const settings = {
      WEBHOOK_PRIVATE_TARGETS: 'refused',
      WEBHOOK_REFUSED_ADDRESSES: '198.51.101.0/24',
      WEBHOOK_OWN_HOSTS: 'api.example.org,,https://portal.example.org',
    };
    webhooks = await startWebhooks(settings, () => Promise.resolve([{ address: '198.51.102.7', family: 4 }]));
  });
  afterAll(() => webhooks.stop());

  const URL = 'https://hooks.example/in';

  describe('an endpoint', () => {
    test('is created, listed, changed and deleted', async () => {
      const channel = newId();
      const { endpoint, secret } = await webhooks.create(channel, { description: 'Orders', ordered: true });
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(endpoint).toMatchObject({ url: URL, description: 'Orders', ordered: true, status: 'ENABLED' });
      expect(endpoint.secrets).toHaveLength(1);
      const second = await webhooks.create(channel, { eventTypes: ['TRANSACTION_STATUS_CHANGE'] });
      const { endpoints } = await webhooks.gateway.ListEndpoints({}, await webhooks.as(channel));
      expect(endpoints.map(({ id }) => id)).toEqual([endpoint.id, second.endpoint.id]);
      const changed = await webhooks.update(channel, {
        endpointId: endpoint.id,
        url: 'https://hooks.example/other',
        description: '',
        eventTypes: { types: ['TRANSACTION_STATUS_CHANGE'] },
        ordered: false,
      });
      expect(changed).toMatchObject({
        url: 'https://hooks.example/other',
        eventTypes: ['TRANSACTION_STATUS_CHANGE'],
        ordered: false,
      });
      expect(changed).not.toHaveProperty('description');
      const target = { endpointId: endpoint.id };
      expect(await webhooks.gateway.DeleteEndpoint(target, await webhooks.as(channel))).toMatchObject({
        id: endpoint.id,
      });
      expect(await catchFailure(webhooks.get(channel, endpoint.id))).toMatchObject({ code: 'not-found' });
      const left = await webhooks.gateway.ListEndpoints({}, await webhooks.as(channel));
      expect(left.endpoints.map(({ id }) => id)).toEqual([second.endpoint.id]);
    });

    test('has a trimmed, composed, visible description', async () => {
      const channel = newId();
      const { endpoint } = await webhooks.create(channel, { description: ' Auftra\u0308ge\u200b' });
      expect(endpoint.description).toBe('Aufträge');
      for (const description of [' ', '\ufeff', '\u200b']) {
        const refused = { code: 'invalid-request', violations: [{ pointer: '#/description', code: 'blank' }] };
        expect(await catchFailure(webhooks.create(channel, { description }))).toMatchObject(refused);
        expect(await catchFailure(webhooks.update(channel, { endpointId: endpoint.id, description }))).toMatchObject(
          refused,
        );
      }
    });

    test('belongs to its channel', async () => {
      const { endpoint } = await webhooks.create(newId(), {});
      const other = await webhooks.as(newId());
      const endpointId = endpoint.id;
      const { gateway } = webhooks;
      const attempts = [
        gateway.GetEndpoint({ endpointId }, other),
        gateway.UpdateEndpoint({ endpointId, status: 'DISABLED' }, other),
        gateway.DeleteEndpoint({ endpointId }, other),
        gateway.RotateSecret({ endpointId, overlapHours: 0 }, other),
        gateway.TestEndpoint({ endpointId }, other),
        gateway.ListDeliveries({ endpointId, page: { limit: 10, offset: 0 } }, other),
        gateway.GetDelivery({ endpointId, deliveryId: newId() }, other),
        gateway.RetryDelivery({ endpointId, deliveryId: newId() }, other),
        gateway.ReplayEvents({ endpointId, from: '2026-01-01T00:00:00Z' }, other),
      ];
      for (const failure of await Promise.all(attempts.map(catchFailure)))
        expect(failure).toMatchObject({ code: 'not-found' });
    });

    test('of a suspended channel cannot be tested or rotated, but can be read and deleted', async () => {
      const channel = newId();
      const { endpoint } = await webhooks.create(channel, {});
      const suspended = await asUser(channel, ['ROLE_ADMINISTRATOR', 'EVENT_VIEWER'], newId(), undefined, {
        isSuspended: true,
      });
      const endpointId = endpoint.id;
      const { gateway } = webhooks;
      const acts = [
        gateway.TestEndpoint({ endpointId }, suspended),
        gateway.RetryDelivery({ endpointId, deliveryId: newId() }, suspended),
        gateway.ReplayEvents({ endpointId, from: '2026-01-01T00:00:00Z' }, suspended),
        gateway.RotateSecret({ endpointId, overlapHours: 0 }, suspended),
        gateway.UpdateEndpoint({ endpointId, status: 'DISABLED' }, suspended),
      ];
      for (const failure of await Promise.all(acts.map(catchFailure)))
        expect(failure).toMatchObject({ code: 'sales-channel-suspended' });
      expect(await gateway.GetEndpoint({ endpointId }, suspended)).toMatchObject({ id: endpointId });
      expect(await gateway.DeleteEndpoint({ endpointId }, suspended)).toMatchObject({ id: endpointId });
    });

    test.each([
      ['http://hooks.example/', 'url'],
      ['https://169.254.169.254/latest', 'url'],
      ['https://127.0.0.1/x', 'url'],
      ['https://localhost/x', 'url'],
      ['https://[::1]/x', 'url'],
      ['https://168.63.129.16/', 'url'],
      ['https://198.51.101.7/', 'url'],
      ['https://api.example.org/', 'url'],
      ['https://portal.example.org:8443/', 'url'],
      // The address of both names.
      ['https://198.51.102.7/', 'url'],
      ['https://hooks.example:22/', 'url'],
      ['https://hooks.example:8444/', 'url'],
      [`https://hooks.example/${'x'.repeat(2_048)}`, 'url'],
    ])('is refused at %s, new or changed', async (url, member) => {
      const refusal = { code: 'invalid-request', violations: [{ pointer: `#/${member}` }] };
      const channel = newId();
      expect(await catchFailure(webhooks.create(channel, { url }))).toMatchObject(refusal);
      const { endpoint } = await webhooks.create(channel, {});
      expect(await catchFailure(webhooks.update(channel, { endpointId: endpoint.id, url }))).toMatchObject(refusal);
      expect((await webhooks.get(channel, endpoint.id)).url).toBe(URL);
    });

    test('keeps a port that is no longer allowed until its URL changes', async () => {
      const channel = newId();
      const { endpoint } = await webhooks.create(channel, {});
      const url = 'https://hooks.example:9443/in';
      await webhooks.service.sql('update endpoint set url = $1 where id = $2', [url, endpoint.id]);
      const described = await webhooks.update(channel, { endpointId: endpoint.id, description: 'Old port' });
      expect(described).toMatchObject({ url, description: 'Old port', status: 'ENABLED' });
    });

    test('accepts only known event types', async () => {
      const failure = await catchFailure(webhooks.create(newId(), { eventTypes: ['NO_SUCH_TYPE'] }));
      expect(failure).toMatchObject({ code: 'invalid-request', violations: [{ pointer: '#/eventTypes/0' }] });
    });

    test('is not created while the end of the log is unreadable', async () => {
      const channel = newId();
      webhooks.log.setDown(true);
      try {
        expect(await catchFailure(webhooks.create(channel, {}))).toMatchObject({ code: 'unavailable' });
      } finally {
        webhooks.log.setDown(false);
      }
      const { endpoints } = await webhooks.gateway.ListEndpoints({}, await webhooks.as(channel));
      expect(endpoints).toEqual([]);
    });
  });

  test('concurrent creations respect the limit', async () => {
    const channel = newId();
    const created = await Promise.allSettled(Array.from({ length: 30 }, () => webhooks.create(channel, {})));
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    for (const outcome of created)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'request-refused' });
  });

  test('secrets are stored sealed for their endpoint, and at most five sign', async () => {
    const channel = newId();
    const { endpoint, secret } = await webhooks.create(channel, {});
    const secrets = [secret];
    for (let count = 0; count < 7; count++) {
      const target = { endpointId: endpoint.id, overlapHours: 72 };
      const rotated = await webhooks.gateway.RotateSecret(target, await webhooks.as(channel));
      secrets.push(rotated.secret);
      expect(rotated.endpoint?.secrets.length).toBeLessThanOrEqual(5);
    }
    const rows = await webhooks.service.sql<{ sealed: string }>(
      'select * from endpoint_secret where endpoint_id = $1',
      [endpoint.id],
    );
    expect(rows).toHaveLength(5);
    const stored = JSON.stringify(rows);
    for (const known of secrets) {
      expect(stored).not.toContain(known.slice('whsec_'.length));
      expect(stored).not.toContain(Buffer.from(known).toString('base64url').slice(4, -4));
    }
    const trail = await webhooks.service.sql<{ event: string }>('select event from audit_event where scope = $1', [
      channel,
    ]);
    for (const known of secrets) expect(JSON.stringify(trail)).not.toContain(known);
  });

  test('the audit trail has every change with the states before and after', async () => {
    const channel = newId();
    const { endpoint } = await webhooks.create(channel, {});
    const as = await webhooks.as(channel);
    await webhooks.update(channel, { endpointId: endpoint.id, status: 'DISABLED' });
    await webhooks.update(channel, { endpointId: endpoint.id, status: 'DISABLED' });
    await webhooks.update(channel, { endpointId: endpoint.id, status: 'ENABLED' });
    await webhooks.gateway.RotateSecret({ endpointId: endpoint.id, overlapHours: 1 }, as);
    await webhooks.gateway.ReplayEvents({ endpointId: endpoint.id, from: '2026-01-01T00:00:00Z' }, as);
    await webhooks.gateway.DeleteEndpoint({ endpointId: endpoint.id }, as);
    const rows = await webhooks.service.sql<{ event: string }>(
      'select event from audit_event where scope = $1 order by sequence',
      [channel],
    );
    const acts = rows.map(({ event }) => JSON.parse(event) as { action: string; before: unknown; after: unknown });
    const state = { url: URL, eventTypes: [], ordered: false };
    expect(acts.map(({ action, before, after }) => ({ action, before, after }))).toEqual([
      { action: 'webhooks.endpoint.created', before: null, after: { ...state, status: 'ENABLED' } },
      {
        action: 'webhooks.endpoint.updated',
        before: { ...state, status: 'ENABLED' },
        after: { ...state, status: 'DISABLED' },
      },
      {
        action: 'webhooks.endpoint.updated',
        before: { ...state, status: 'DISABLED' },
        after: { ...state, status: 'ENABLED' },
      },
      { action: 'webhooks.secret.rotated', before: null, after: { overlapHours: 1 } },
      {
        action: 'webhooks.events.replayed',
        before: null,
        after: { from: '2026-01-01T00:00:00.000Z', to: expect.any(String), failedOnly: false },
      },
      { action: 'webhooks.endpoint.deleted', before: { ...state, status: 'ENABLED' }, after: null },
    ]);
  });

  test('only the listed roles and only the gateway may call', async () => {
    const viewer = await webhooks.as(newId(), ['EVENT_VIEWER']);
    expect(await catchFailure(webhooks.gateway.CreateEndpoint({ url: URL }, viewer))).toMatchObject({
      code: 'forbidden',
    });
    expect(await webhooks.gateway.ListEndpoints({}, viewer)).toMatchObject({ endpoints: [] });
    const events = await callAs('events', 'webhooks', webhooks.service.address);
    expect(await catchFailure(events.ListEndpoints({}, viewer))).toMatchObject({ code: 'forbidden' });
    events.close();
  });

  test.each([
    [{ from: '2999-01-01T00:00:00Z' }, 'invalid-request'],
    [{ from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }, 'invalid-request'],
    [{ from: 'yesterday' }, 'invalid-request'],
  ])('a replay of %j is refused', async (range, code) => {
    const channel = newId();
    const { endpoint } = await webhooks.create(channel, {});
    const replay = webhooks.gateway.ReplayEvents({ endpointId: endpoint.id, ...range }, await webhooks.as(channel));
    expect(await catchFailure(replay)).toMatchObject({ code, violations: [{ pointer: '#/from' }] });
  });

  test('an operator finds endpoints by their id', async () => {
    const { endpoint } = await webhooks.create(newId(), {});
    const admin = await callAs('admin', 'lookUp', webhooks.service.address, 'webhooks');
    const { things } = await admin.LookUp({ id: endpoint.id });
    expect(things).toMatchObject([{ kind: 'webhook endpoint', facts: { webhookEndpointId: endpoint.id } }]);
    admin.close();
  });

  test('the secrets of a deleted endpoint are deleted at once', async () => {
    const channel = newId();
    const { endpoint } = await webhooks.create(channel, {});
    await webhooks.gateway.DeleteEndpoint({ endpointId: endpoint.id }, await webhooks.as(channel));
    const rows = await webhooks.service.sql('select id from endpoint_secret where endpoint_id = $1', [endpoint.id]);
    expect(rows).toEqual([]);
  });
});

describe('sealing', () => {
  const [first, second] = [testSealingKey(), testSealingKey()];
  const sealerOf = (...keys: string[]): Sealer => new Sealer(sealingKeys.parse(keys.join()));

  let webhooks: Webhooks;
  let database: Database;
  beforeAll(async () => {
    webhooks = await startWebhooks({ WEBHOOK_SECRET_KEYS: first });
    const url = webhooks.service.databaseUrl;
    database = await openTestDatabase({ url, poolMax: 2, ...schema });
  });
  afterAll(async () => {
    await database.stop();
    await webhooks.stop();
  });

  const sealedOf = async (endpointId: string): Promise<string> => {
    const rows = await webhooks.service.sql<{ sealed: string }>(
      'select sealed from endpoint_secret where endpoint_id = $1',
      [endpointId],
    );
    return String(rows[0]?.sealed);
  };

  const bytesOf = async (keys: Promise<readonly KeyObject[]>): Promise<Buffer[]> =>
    (await keys).map((key) => key.export());

  test('secrets are sealed again under a new key, and the previous key opens none', async () => {
    const { endpoint, secret } = await webhooks.create(newId(), {});
    const before = createKeyOpener(sealerOf(second, first));
    expect(await bytesOf(before(endpoint.id, [await sealedOf(endpoint.id)]))).toEqual([toSigningKey(secret).export()]);
    expect(await resealSecrets(database, sealerOf(second, first), 100)).toBe(1);
    expect(await resealSecrets(database, sealerOf(second, first), 100)).toBe(0);
    const sealed = await sealedOf(endpoint.id);
    expect(await bytesOf(createKeyOpener(sealerOf(second))(endpoint.id, [sealed]))).toEqual([
      toSigningKey(secret).export(),
    ]);
    await expect(createKeyOpener(sealerOf(first))(endpoint.id, [sealed])).rejects.toThrow('opens a secret');
  });

  test('a secret moved to another endpoint does not open', async () => {
    const { endpoint } = await webhooks.create(newId(), {});
    await expect(createKeyOpener(sealerOf(first))(newId(), [await sealedOf(endpoint.id)])).rejects.toThrow(
      'opens a secret',
    );
  });

  test('an unreadable secret does not prevent sealing the others again', async () => {
    const [lost, other] = [await webhooks.create(newId(), {}), await webhooks.create(newId(), {})];
    await webhooks.service.sql(`update endpoint_secret set sealed = 'x' where endpoint_id = $1`, [lost.endpoint.id]);
    await expect(resealSecrets(database, sealerOf(second, first), 100)).rejects.toThrow(lost.endpoint.id);
    const sealed = await sealedOf(other.endpoint.id);
    expect(await createKeyOpener(sealerOf(second))(other.endpoint.id, [sealed])).toEqual([toSigningKey(other.secret)]);
  });
});
