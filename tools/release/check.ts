// npm run release -- check [--base <commit>]
//
// Part of "npm run check". Refuses breaches of the last releases' promises, unless a major step is planned and the
// deprecation was long enough. With --base, as in CI, also refuses units that changed since there without a version
// plan.
import { parseArgs } from 'node:util';
import { findUnplannedUnits } from './changes.ts';
import { checkPromises } from './records.ts';

const { values } = parseArgs({ options: { base: { type: 'string' } } });
const refusals = [...(values.base === undefined ? [] : findUnplannedUnits(values.base)), ...checkPromises(new Date())];
for (const refusal of refusals) console.error(refusal);
process.exitCode = refusals.length > 0 ? 1 : 0;
