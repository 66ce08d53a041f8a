import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

export const projectRoot = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

/** Everything a local stack keeps lies here: data, secrets, demo.json. `npm run reset` deletes it. */
export const localFolder = join(projectRoot, '.local');
