import type { KeyObject } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Sealer, sealingKeys } from '@saleschannel/auth';
import type { Database } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { openTestDatabase } from '@saleschannel/testing';
import { toSigningKey } from '../src/domain/delivery.ts';
import { createKeyOpener, resealSecrets } from '../src/operations/secrets.ts';
import { schema } from '../src/store/schema.ts';
import { startWebhooks, testSealingKey, type Webhooks } from './support/webhooks.ts';

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
