import { execFileSync } from 'node:child_process';
import { workspace, type Unit } from './units.ts';

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
export const listSubjects = (commit: string, folders: readonly string[]): string[] =>
  linesOf(git('log', '--format=%s', '--no-merges', `${commit}..HEAD`, '--', ...folders));

/** Text of a file at a commit. */
export const readFileAt = (commit: string, path: string): string => git('show', `${commit}:${path}`);

/** Tags of HEAD and its ancestors. */
export const listTags = (): string[] => linesOf(git('tag', '--merged', 'HEAD'));

export const listTagsOfHead = (): string[] => linesOf(git('tag', '--points-at', 'HEAD'));
