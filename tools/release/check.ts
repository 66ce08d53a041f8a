// npm run release -- check [--base <commit>]
//
// Part of "npm run check": nothing breaks what the last releases promised, unless a major step is planned and the time
// of its deprecation is over. With --base, as in CI, whatever changed since there also has a version plan.
import { parseArgs } from 'node:util';
import { planRefusals } from './changes.ts';
import { contractRefusals } from './records.ts';

const { values } = parseArgs({ options: { base: { type: 'string' } } });
const refusals = [...(values.base === undefined ? [] : planRefusals(values.base)), ...contractRefusals(new Date())];
for (const refusal of refusals) console.error(refusal);
process.exitCode = refusals.length > 0 ? 1 : 0;
