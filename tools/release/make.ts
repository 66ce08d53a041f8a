// npm run release [-- --dry-run]
//
// Releases what has a version plan, or stands on what changed: each service and each package by itself, and the
// umbrella chart with them. Gates, then versions and changelogs by nx release, what each promises from now on, one
// commit, and a tag <name>@<version> for each. It pushes nothing and needs no network. A unit without a tag is tagged
// with the version that it has. With --dry-run it prints what it would do, and leaves everything as it was.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ReleaseClient } from 'nx/release';
import { planForLibraries, planRefusals } from './changes.ts';
import { git, lastTagOf } from './git.ts';
import { contractRefusals, record } from './records.ts';
import { umbrellaStep, writeUmbrella, type Step } from './umbrella.ts';
import { tagOf, umbrella, units, workspace } from './units.ts';

const { values: options } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
const dryRun = options['dry-run'];
const today = new Date();
/** In the subject of the release's commit. */
const NAMED_AT_MOST = 3;

function end(problems: readonly string[]): never {
  for (const problem of problems) console.error(problem);
  process.exit(1);
}

/** @returns the units whose versions it raised */
async function raiseVersions(): Promise<Step[]> {
  const client = new ReleaseClient({});
  const quiet = { dryRun, gitCommit: false, gitTag: false, stageChanges: false };
  const { projectsVersionData, releaseGraph } = await client.releaseVersion(quiet);
  const raised = units.flatMap(({ name }): Step[] => {
    const { currentVersion: from, newVersion: to } = projectsVersionData[name] ?? {};
    return from && to ? [{ name, from, to }] : [];
  });
  if (raised.length === 0) return [];
  // A project that tests with another one does not stand on it: closureOf knows who does.
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

if (!dryRun && git('status', '--porcelain') !== '') end(['There are changes that are not committed.']);
const refusals = [...planRefusals(), ...contractRefusals(today)];
if (refusals.length > 0) end(refusals);

const first = [...units, umbrella].filter((unit) => lastTagOf(unit) === undefined);
const written = planForLibraries();
const raised = await raiseVersions().finally(() => {
  if (dryRun) for (const file of written) rmSync(join(workspace, file));
});
const whole = umbrellaStep(raised);
const steps = whole ? [...raised, whole] : raised;
const isRaised = (name: string): boolean => steps.some((step) => step.name === name);
const released = [...units, umbrella].filter((unit) => isRaised(unit.name) || first.includes(unit));
if (dryRun) {
  for (const { name, from, to } of steps) console.log(`${name}: ${from} → ${to}`);
  for (const unit of first) if (!isRaised(unit.name)) console.log(`${unit.name}: its first tag, ${tagOf(unit)}`);
} else if (released.length > 0) {
  if (whole) writeUmbrella(whole);
  if (steps.length > 0) renderDeployment();
  for (const unit of released) if (unit !== umbrella) record(unit, today);
  git('add', '--all');
  const tags = released.map(tagOf);
  const subject = tags.length <= NAMED_AT_MOST ? `Release ${tags.join(', ')}` : `Release ${tags.length} units`;
  if (git('status', '--porcelain') !== '') git('commit', '--quiet', '-m', subject, '-m', tags.join('\n'));
  for (const tag of tags) git('tag', '--annotate', tag, '-m', tag);
}
const images = released.filter(({ kind }) => kind === 'program').map(({ name }) => name);
console.log(`${released.length} released; images to build: ${images.join(', ') || 'none'}`);
