import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listChangedFiles, findLastTag } from './git.ts';
import type { Bump } from './plans.ts';
import { umbrella, readVersion, workspace } from './units.ts';

/** A unit with its old and new version. */
export interface Step {
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
export function nextUmbrellaStep(raised: readonly Step[]): Step | undefined {
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
export function writeUmbrella({ to }: Step): void {
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
