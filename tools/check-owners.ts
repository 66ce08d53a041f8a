// Part of "npm run lint": checks .github/CODEOWNERS. Every path has an owner, each program has its own team, and the
// parts of a program belong to that team.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { programNames } from '../deploy/installation/src/index.ts';

const root = resolve(import.meta.dirname, '..');
const FILE = '.github/CODEOWNERS';
const PLATFORM = '@saleschannel/platform-team';

interface Rule {
  readonly line: number;
  readonly pattern: string;
  readonly owners: readonly string[];
}

const rules: readonly Rule[] = readFileSync(join(root, FILE), 'utf8')
  .split('\n')
  .flatMap((text, index) => {
    const [pattern, ...owners] = text.replace(/#.*/, '').trim().split(/\s+/);
    return pattern ? [{ line: index + 1, pattern, owners }] : [];
  });

/** Matches the used forms: a folder, a file, or all files of the root. */
function fits({ pattern }: Rule, path: string): boolean {
  if (pattern === '/*') return !path.includes('/');
  const name = pattern.slice(1);
  return name.endsWith('/') ? path.startsWith(name) : path === name;
}

const ruleOf = (path: string): Rule | undefined => rules.findLast((rule) => fits(rule, path));

const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
const paths = execFileSync('git', list, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  .split('\0')
  .filter((path) => path !== '');
const faults: string[] = [];

for (const { line, pattern, owners } of rules) {
  if (!/^\/([\w.-]+\/)*([\w.-]+|\*)?$/.test(pattern))
    faults.push(`${FILE}:${line}: ${pattern}: use a folder, a file or /*`);
  if (owners.length === 0 || !owners.every((owner) => /^@[\w-]+\/[\w-]+$/.test(owner))) {
    faults.push(`${FILE}:${line}: ${pattern}: name a team`);
  }
}

const used = new Set<Rule>();
for (const path of paths) {
  const rule = ruleOf(path);
  if (rule) used.add(rule);
  else faults.push(`${path}: has no owner in ${FILE}`);
}
// A release deletes version plans.
const mayBeEmpty = new Set(['/.nx/']);
for (const rule of rules) {
  if (!used.has(rule) && !mayBeEmpty.has(rule.pattern))
    faults.push(`${FILE}:${rule.line}: ${rule.pattern}: matches nothing`);
}

/** Parts of a program. The platform team also owns contracts. */
const partsOf = (program: string): readonly { readonly path: string; readonly isShared: boolean }[] => [
  { path: `apps/${program}/`, isShared: false },
  { path: `apps/${program}/src/store/migrations/`, isShared: false },
  { path: `apps/${program}/openapi/`, isShared: true },
  { path: `protos/${program.replaceAll('-', '_')}/`, isShared: true },
  { path: `released/${program}.json`, isShared: false },
  { path: `deploy/helm/services/${program}/`, isShared: false },
];

const teams = new Map<string, string>();
for (const program of programNames) {
  const [team] = ruleOf(`apps/${program}/src/main.ts`)?.owners ?? [];
  const other = team === undefined ? undefined : teams.get(team);
  if (team === undefined || team === PLATFORM || other !== undefined) {
    faults.push(`apps/${program}: needs its own team${other === undefined ? '' : `, not that of ${other}`}`);
    continue;
  }
  teams.set(team, program);
  for (const { path, isShared } of partsOf(program)) {
    if (!existsSync(join(root, path))) continue;
    const owners = ruleOf(path.endsWith('/') ? `${path}some-file` : path)?.owners ?? [];
    const expected = isShared ? [team, PLATFORM] : [team];
    if (expected.some((owner) => !owners.includes(owner))) {
      faults.push(`${path}: must belong to ${expected.join(' and ')}, not to ${owners.join(' ') || 'no team'}`);
    }
  }
}

for (const fault of faults) console.error(fault);
console.log(`${paths.length} paths have owners, ${faults.length} faults`);
process.exitCode = faults.length > 0 ? 1 : 0;
