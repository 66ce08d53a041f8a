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

/**
 * Writes the files that differ. Each appears whole, because other processes may read it or write the same.
 * @returns the number of files written
 */
export function writeFiles(files: Files): number {
  const differences = listDifferences(files);
  for (const path of differences) {
    const file = join(root, path);
    const draft = `${file}.${process.pid}`;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(draft, files[path] ?? '');
    renameSync(draft, file);
  }
  return differences.length;
}

/** Removes from a folder of generated files everything that `files` does not name. */
export function removeOthers(folder: string, files: Files): void {
  for (const name of existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [])
    if (!Object.hasOwn(files, `${folder}/${name}`)) rmSync(join(root, folder, name), { recursive: true, force: true });
}
