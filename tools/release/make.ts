// npm run release [-- --dry-run]
//
// Releases each unit that has a version plan or depends on a change, and the umbrella chart with them. Checks the
// gates, raises versions and writes changelogs by nx release, records the promises, makes one commit, and tags each
// unit as <name>@<version>. Pushes nothing and needs no network. Tags a unit without a tag with its current version.
// With --dry-run it prints the steps and changes nothing.
import { execFileSync } from 'node:child_process';
import { rmSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ReleaseClient } from 'nx/release';
import { planDependents, findUnplannedUnits, git, findLastTag, listChangedFiles } from './changes.ts';
import { checkPromises, recordPromises } from './records.ts';
import { toTag, umbrella, units, workspace, readVersion } from './units.ts';
import type { Bump } from './plans.ts';

/** A unit with its old and new version. */
interface Step {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

interface Versioned {
  version: string;
}

const partsOf = (version: string): number[] => version.split('.').map(Number);

function bumpOf({ from, to }: Step): Bump {
  const [before, after] = [partsOf(from), partsOf(to)];
  if (before[0] !== after[0]) return 'major';
  return before[1] === after[1] ? 'patch' : 'minor';
}

const isChart = (file: string): boolean => /^deploy\/helm\/(installation|library|saleschannel)\//.test(file);

/**
 * Next version of the umbrella: the largest step of its units, or a patch if its own charts changed. Undefined if
 * nothing changed, and before its first tag, which has the current version.
 */
function nextUmbrellaStep(raised: readonly Step[]): Step | undefined {
  const tag = findLastTag(umbrella);
  if (tag === undefined || (raised.length === 0 && !listChangedFiles(tag).some(isChart))) return undefined;
  const bumps = raised.map(bumpOf);
  const from = readVersion(umbrella);
  const [major = 0, minor = 0, patch = 0] = partsOf(from);
  let to = `${major}.${minor}.${patch + 1}`;
  if (bumps.includes('major')) to = `${major + 1}.0.0`;
  else if (bumps.includes('minor')) to = `${major}.${minor + 1}.0`;
  return { name: umbrella.name, from, to };
}

/** Writes the version of the umbrella to package.json and package-lock.json. */
function writeUmbrella({ to }: Step): void {
  rewrite<Versioned>('package.json', (manifest) => Object.assign(manifest, { version: to }));
  rewrite<Versioned & { packages: Record<string, Versioned> }>('package-lock.json', (lock) => {
    lock.version = to;
    Object.assign(lock.packages[''] ?? {}, { version: to });
  });
}

function rewrite<T>(file: string, change: (content: T) => void): void {
  const path = join(workspace, file);
  const content = JSON.parse(readFileSync(path, 'utf8')) as T;
  change(content);
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`);
}

const { values: options } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
const dryRun = options['dry-run'];
const today = new Date();
/** Units named in the subject of the release's commit. */
const NAMED_AT_MOST = 3;

function end(problems: readonly string[]): never {
  for (const problem of problems) console.error(problem);
  process.exit(1);
}

/** @returns the raised units */
async function raiseVersions(): Promise<Step[]> {
  const client = new ReleaseClient({});
  const quiet = { dryRun, gitCommit: false, gitTag: false, stageChanges: false };
  const { projectsVersionData, releaseGraph } = await client.releaseVersion(quiet);
  const raised = units.flatMap(({ name }): Step[] => {
    const { currentVersion: from, newVersion: to } = projectsVersionData[name] ?? {};
    return from && to ? [{ name, from, to }] : [];
  });
  if (raised.length === 0) return [];
  // nx counts test dependencies as dependents; planDependents handles dependents.
  const versionData = Object.fromEntries(
    Object.entries(projectsVersionData).map(([name, data]) => [name, { ...data, dependentProjects: [] }]),
  );
  await client.releaseChangelog({ ...quiet, versionData, releaseGraph, deleteVersionPlans: true });
  return raised;
}

/** Charts and manifests carry the versions. */
function renderDeployment(): void {
  const generate = [join(workspace, 'tools/generate.ts'), 'deployment'];
  execFileSync(process.execPath, generate, { cwd: workspace, stdio: 'inherit' });
}

if (!dryRun && git('status', '--porcelain') !== '') end(['Commit your changes first.']);
const refusals = [...findUnplannedUnits(), ...checkPromises(today)];
if (refusals.length > 0) end(refusals);

const first = [...units, umbrella].filter((unit) => findLastTag(unit) === undefined);
const written = planDependents();
const raised = await raiseVersions().finally(() => {
  if (dryRun) for (const file of written) rmSync(join(workspace, file));
});
const whole = nextUmbrellaStep(raised);
const steps = whole ? [...raised, whole] : raised;
const isRaised = (name: string): boolean => steps.some((step) => step.name === name);
const released = [...units, umbrella].filter((unit) => isRaised(unit.name) || first.includes(unit));
if (dryRun) {
  for (const { name, from, to } of steps) console.log(`${name}: ${from} → ${to}`);
  for (const unit of first) if (!isRaised(unit.name)) console.log(`${unit.name}: first tag ${toTag(unit)}`);
} else if (released.length > 0) {
  if (whole) writeUmbrella(whole);
  if (steps.length > 0) renderDeployment();
  for (const unit of released) if (unit !== umbrella) recordPromises(unit, today);
  git('add', '--all');
  const tags = released.map(toTag);
  const subject = tags.length <= NAMED_AT_MOST ? `Release ${tags.join(', ')}` : `Release ${tags.length} units`;
  if (git('status', '--porcelain') !== '') git('commit', '--quiet', '-m', subject, '-m', tags.join('\n'));
  for (const tag of tags) git('tag', '--annotate', tag, '-m', tag);
}
const images = released.filter(({ kind }) => kind === 'program').map(({ name }) => name);
console.log(`${released.length} released; images to build: ${images.join(', ') || 'none'}`);
