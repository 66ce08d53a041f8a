import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

/** Text of each file, by its path from the root of the repository. */
export type Files = Readonly<Record<string, string>>;

/** Paths of the files whose content differs from `files`. */
export const listDifferences = (files: Files): string[] =>
  Object.entries(files)
    .filter(([path, text]) => !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text)
    .map(([path]) => path);

const DRAFT = /\.draft-\d+$/;

/** Replaces a file as a whole, because other processes may read it or write the same. */
export function replaceFile(file: string, text: string): void {
  const draft = `${file}.draft-${process.pid}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(draft, text);
  renameSync(draft, file);
}

/**
 * Writes the files that differ.
 * @returns the number of files written
 */
export function writeFiles(files: Files): number {
  const differences = listDifferences(files);
  for (const path of differences) replaceFile(join(root, path), files[path] ?? '');
  return differences.length;
}

/** Removes the entries of a folder that `files` does not name, except drafts of concurrent processes. */
export function removeOthers(folder: string, files: Files): void {
  const names = existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [];
  for (const name of names.filter((each) => !DRAFT.test(each)))
    if (!Object.hasOwn(files, `${folder}/${name}`)) rmSync(join(root, folder, name), { recursive: true, force: true });
}
