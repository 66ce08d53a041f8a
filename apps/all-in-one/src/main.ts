import { parseArgs } from 'node:util';
import { runService } from '@saleschannel/runtime';
import { createAllInOne } from './all-in-one.ts';
import { parseServices, defaultNames } from './hostable.ts';

/** EX_USAGE of sysexits.h. */
const WRONG_USAGE = 64;

function readServices(): ReturnType<typeof parseServices> {
  try {
    const { values } = parseArgs({ allowPositionals: true, options: { services: { type: 'string' } } });
    return values.services === undefined ? defaultNames : parseServices(values.services);
  } catch (error) {
    process.stderr.write(`all-in-one: ${(error as Error).message}\n`);
    process.exit(WRONG_USAGE);
  }
}

await runService(await createAllInOne(readServices()));
