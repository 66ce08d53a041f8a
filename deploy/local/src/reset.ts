import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { removeFolder } from '@saleschannel/local-backends';
import { assertNotRunning } from './folder-lock.ts';
import { localFolder } from './files.ts';

// Deletes the data of a local stack, but not that of servers in DATABASE_URL and AMQP_URL.
try {
  assertNotRunning(localFolder);
  if (existsSync(localFolder)) {
    for (const data of ['postgres', 'rabbitmq']) removeFolder(join(localFolder, data));
    removeFolder(localFolder);
  }
  process.stdout.write('The data of the local stack is deleted. The next start creates a new stack.\n');
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
