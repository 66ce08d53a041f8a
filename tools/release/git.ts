import { execFileSync } from 'node:child_process';
import { workspace, type Unit } from './units.ts';

export function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: workspace, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).trim();
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** The newest tag of a unit that HEAD comes from. Undefined before its first release. */
export function lastTagOf({ name }: Unit): string | undefined {
  const [tag] = linesOf(git('tag', '--merged', 'HEAD', '--sort=-version:refname', '--list', `${name}@*`));
  return tag;
}

/** What changed from a commit to the files as they stand: committed, staged or new. */
export function changedSince(commit: string): string[] {
  const tracked = linesOf(git('diff', '--name-only', '--no-renames', commit));
  return [...tracked, ...linesOf(git('ls-files', '--others', '--exclude-standard'))];
}

/** Subjects of the commits since one that touched any of these folders, the newest first. */
export const subjectsSince = (commit: string, folders: readonly string[]): string[] =>
  linesOf(git('log', '--format=%s', '--no-merges', `${commit}..HEAD`, '--', ...folders));

/** A file as it was at a commit. */
export const fileAt = (commit: string, path: string): string => git('show', `${commit}:${path}`);

/** Tags of HEAD and of the commits that it comes from. */
export const tagsBelow = (): string[] => linesOf(git('tag', '--merged', 'HEAD'));

export const tagsHere = (): string[] => linesOf(git('tag', '--points-at', 'HEAD'));
