import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plannedBump, readPlans, writePlan } from './plans.ts';
import { findDependencies, isOwnSource, findTouchedLibraries, units, workspace, type Unit } from './units.ts';

export function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: workspace, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).trim();
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** Newest tag of a unit in the history of HEAD. Undefined before its first release. */
export function findLastTag({ name }: Unit): string | undefined {
  const [tag] = linesOf(git('tag', '--merged', 'HEAD', '--sort=-version:refname', '--list', `${name}@*`));
  return tag;
}

/** Files that differ from a commit: committed, staged, modified or new. */
export function listChangedFiles(commit: string): string[] {
  const tracked = linesOf(git('diff', '--name-only', '--no-renames', commit));
  return [...tracked, ...linesOf(git('ls-files', '--others', '--exclude-standard'))];
}

/** Subjects of commits to these folders since a commit, newest first. */
const listSubjects = (commit: string, folders: readonly string[]): string[] =>
  linesOf(git('log', '--format=%s', '--no-merges', `${commit}..HEAD`, '--', ...folders));

/** Text of a file at a commit. */
const readFileAt = (commit: string, path: string): string => git('show', `${commit}:${path}`);

/** Tags of HEAD and its ancestors. */
export const listTags = (): string[] => linesOf(git('tag', '--merged', 'HEAD'));

export const listTagsOfHead = (): string[] => linesOf(git('tag', '--points-at', 'HEAD'));

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Commit subjects that a changelog lists for a changed library. */
const SUBJECTS_AT_MOST = 10;

/** npm packages of a unit and its libraries whose version changed since a commit. */
function changedPackages(unit: Unit, commit: string): string[] {
  const versions = (text: string): Readonly<Record<string, string>> =>
    (JSON.parse(text) as Manifest).dependencies ?? {};
  const before = versions(readFileAt(commit, 'package.json'));
  const after = versions(readFileSync(join(workspace, 'package.json'), 'utf8'));
  const changed = findDependencies(unit).packages.filter(
    (name) => after[name] !== undefined && before[name] !== after[name],
  );
  return changed.map((name) => `${name} ${after[name]}`);
}

/** Units whose own sources changed since a commit and that no plan names. */
function unplanned(candidates: readonly Unit[], baseOf: (unit: Unit) => string | undefined): Unit[] {
  const plans = readPlans();
  const changes = new Map<string, string[]>();
  return candidates.filter((unit) => {
    const base = baseOf(unit);
    if (base === undefined || plannedBump(plans, unit.name) !== undefined) return false;
    const files = changes.get(base) ?? listChangedFiles(base);
    changes.set(base, files);
    return files.some((file) => isOwnSource(unit, file));
  });
}

/** Units whose own sources changed since a commit. */
export const findChangedUnits = (base: string): Unit[] => {
  const files = listChangedFiles(base);
  return units.filter((unit) => files.some((file) => isOwnSource(unit, file)));
};

/** Refuses units that changed since their last release, or since a base, without a version plan. */
export function findUnplannedUnits(base?: string): string[] {
  const refused = unplanned(units, (unit) => base ?? findLastTag(unit));
  return refused.map(
    ({ name }) => `${name}: its sources changed without a version plan: npm run release -- plan patch "…" ${name}`,
  );
}

/**
 * Writes patch plans for unchanged units whose libraries or packages changed.
 * @returns the written files
 */
export function planDependents(): string[] {
  const plans = readPlans();
  return units.flatMap((unit) => {
    const tag = findLastTag(unit);
    if (tag === undefined || plannedBump(plans, unit.name) !== undefined) return [];
    const libraries = findTouchedLibraries(unit, listChangedFiles(tag));
    const packages = changedPackages(unit, tag);
    if (libraries.length === 0 && packages.length === 0) return [];
    const subjects = listSubjects(tag, libraries).slice(0, SUBJECTS_AT_MOST);
    const what = [...libraries.map((library) => library.replace('libs/', '')), ...packages].join(', ');
    const message = [`Dependencies changed: ${what}`, ...subjects.map((subject) => `- ${subject}`)].join('\n');
    return writePlan(`libraries-${unit.name}`, { [unit.name]: 'patch' }, message);
  });
}
