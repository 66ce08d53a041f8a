// Removes files from node_modules that no process reads: maps, types, TypeScript sources (Node runs none there), tests
// and documents. Licences stay.
import { globSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const UNREAD_FILE = /\.(map|ts|mts|cts|tsx|flow|md|markdown|tsbuildinfo)$/i;
const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;
const unreadFolders = [
  'test',
  'tests',
  '__tests__',
  'docs',
  'example',
  'examples',
  'benchmark',
  'benchmarks',
  '.github',
];

function removeFiles(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeFiles(path);
    else if (UNREAD_FILE.test(entry.name) && !LICENCE_FILE.test(entry.name)) rmSync(path);
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

for (const manifest of globSync('node_modules/**/package.json', { exclude: ['node_modules/@saleschannel'] })) {
  const folder = dirname(manifest);
  // Skips a package.json inside a package, which only sets the type of its modules.
  const above = basename(dirname(folder)).startsWith('@') ? dirname(dirname(folder)) : dirname(folder);
  if (basename(above) !== 'node_modules') continue;
  for (const name of unreadFolders) rmSync(join(folder, name), { recursive: true, force: true });
}
for (const name of ['.bin', '.package-lock.json', '@types'])
  rmSync(join('node_modules', name), { recursive: true, force: true });
removeFiles('node_modules');
