// Removes from node_modules what no process reads: maps, types, sources in TypeScript (Node runs none in node_modules),
// tests and documents of packages. Licences stay.
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
  // A package of its own, and not a folder of one that says how its files are read.
  const above = basename(dirname(folder)).startsWith('@') ? dirname(dirname(folder)) : dirname(folder);
  if (basename(above) !== 'node_modules') continue;
  for (const name of unreadFolders) rmSync(join(folder, name), { recursive: true, force: true });
}
for (const name of ['.bin', '.package-lock.json', '@types'])
  rmSync(join('node_modules', name), { recursive: true, force: true });
removeFiles('node_modules');
