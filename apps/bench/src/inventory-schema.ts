import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { generateServiceKeys } from '@saleschannel/auth';
import { projectRoot } from '@saleschannel/local';

/** Makes inventory's schema in a database. A migration talks to nobody, but the service reads all its settings. */
export async function migrateInventory(databaseUrl: string): Promise<void> {
  const { privateKeys, publicKeys } = await generateServiceKeys(['inventory']);
  await promisify(execFile)(process.execPath, [join(projectRoot, 'apps/inventory/src/main.ts'), 'migrate'], {
    env: {
      ...process.env,
      SERVICE_PRIVATE_KEY: JSON.stringify(privateKeys['inventory']),
      SERVICE_PUBLIC_KEYS: JSON.stringify(publicKeys),
      DATABASE_URL: databaseUrl,
      AMQP_URL: 'amqp://unused',
      TRADERS_ADDRESS: 'unused:1',
    },
  });
}
