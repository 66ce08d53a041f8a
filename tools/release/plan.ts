// npm run release -- plan patch|minor|major "<what changed, for the changelog>" [<name> …]
//
// Writes a version plan. Without names it covers all units whose own sources changed since the branch left main.
import { parseArgs } from 'node:util';
import { findChangedUnits } from './changes.ts';
import { git } from './git.ts';
import { bumps, isBump, writePlan } from './plans.ts';
import { units } from './units.ts';

const { positionals } = parseArgs({ allowPositionals: true });
const [bump, message, ...named] = positionals;
const unknown = named.filter((name) => !units.some((unit) => unit.name === name));
if (!isBump(bump) || !message?.trim() || unknown.length > 0) {
  const fault = unknown.length > 0 ? `Not a unit: ${unknown.join(', ')}. ` : '';
  console.error(`${fault}Usage: npm run release -- plan ${bumps.join('|')} "<what changed>" [<name> …]`);
  process.exit(1);
}
const names = named.length > 0 ? named : findChangedUnits(git('merge-base', 'HEAD', 'main')).map(({ name }) => name);
if (names.length === 0) {
  console.log('No unit changed.');
  process.exit();
}
const title = message.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
const name = `${names[0]}-${title.slice(0, 40)}`.replace(/-$/, '');
console.log(writePlan(name, Object.fromEntries(names.map((each) => [each, bump])), message));
