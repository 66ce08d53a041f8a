// npm run release [-- --dry-run]
// npm run release -- plan patch|minor|major "<what changed, for the changelog>" [<unit> …]
// npm run -s release -- list [--published <file>]
// npm run release -- check [--base <commit>]
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findChangedUnits, findUnplannedUnits, git, listTags, listTagsOfHead } from './release/changes.ts';
import { bumps, isBump, writePlan } from './release/plans.ts';
import { checkPromises } from './release/records.ts';
import { umbrella, units } from './release/units.ts';

/** Writes a version plan. Without names it covers all units whose own sources changed since the branch left main. */
function plan(args: string[]): void {
  const [bump, message, ...named] = parseArgs({ args, allowPositionals: true }).positionals;
  const unknown = named.filter((name) => !units.some((unit) => unit.name === name));
  if (!isBump(bump) || !message?.trim() || unknown.length > 0) {
    const fault = unknown.length > 0 ? `Not a unit: ${unknown.join(', ')}. ` : '';
    console.error(`${fault}Usage: npm run release -- plan ${bumps.join('|')} "<what changed>" [<name> …]`);
    process.exitCode = 1;
    return;
  }
  const names = named.length > 0 ? named : findChangedUnits(git('merge-base', 'HEAD', 'main')).map(({ name }) => name);
  if (names.length === 0) return console.log('No unit changed.');
  const title = message.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const name = `${names[0]}-${title.slice(0, 40)}`.replace(/-$/, '');
  console.log(writePlan(name, Object.fromEntries(names.map((each) => [each, bump])), message));
}

/**
 * Lists the units to build as JSON: name, version, tag and kind of each unit with a tag <name>@<version> at this
 * commit. With --published, a file of tags, lists every release in the history of this commit that is not among them,
 * so that a run finishes the work of a failed one.
 */
function list(args: string[]): void {
  const { published: file } = parseArgs({ args, options: { published: { type: 'string' } } }).values;
  const published = file === undefined ? [] : readFileSync(file, 'utf8').split('\n');
  const tags = file === undefined ? listTagsOfHead() : listTags().filter((tag) => !published.includes(tag));
  const releases = [...units, umbrella].flatMap(({ name, kind, folder }) =>
    tags
      .filter((tag) => tag.startsWith(`${name}@`))
      .map((tag) => ({ name, version: tag.slice(name.length + 1), tag, kind, folder })),
  );
  console.log(JSON.stringify(releases));
}

/**
 * Part of "npm run check". Refuses breaches of the last releases' promises, unless a major step is planned and the
 * deprecation was long enough. With --base, as in CI, also refuses units that changed since there without a version
 * plan.
 */
function check(args: string[]): void {
  const { base } = parseArgs({ args, options: { base: { type: 'string' } } }).values;
  const refusals = [...(base === undefined ? [] : findUnplannedUnits(base)), ...checkPromises(new Date())];
  for (const refusal of refusals) console.error(refusal);
  if (refusals.length > 0) process.exitCode = 1;
}

const commands: Readonly<Record<string, (args: string[]) => void>> = { plan, list, check };
const [name = '', ...rest] = process.argv.slice(2);
const command = commands[name];
if (command) command(rest);
else await import('./release/make.ts');
