import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

export const projectRoot = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

/** Data, secrets and demo.json of a local stack. `npm run reset` deletes it. */
export const localFolder = join(projectRoot, '.local');
