// Checks the module boundaries of all workspaces (rules in boundaries.ts); exit code 1 when one is broken.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { checkBoundaries } from './boundaries.ts';
import type { PackageJson, Project } from './boundaries.ts';

const root = resolve(import.meta.dirname, '..');
const workspaces = ['libs/*', 'apps/*', 'deploy/local'];

const readPackageJson = (path: string): PackageJson =>
  JSON.parse(readFileSync(join(root, path), 'utf8')) as PackageJson;

function readProject(dir: string): Project {
  const paths = globSync(`${dir}/**/*.{ts,mts,cts,js,mjs,cjs}`, {
    cwd: root,
    exclude: (name) => name === 'node_modules',
  });
  const files = paths
    .toSorted()
    .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(root, path), 'utf8') }));
  return { dir, packageJson: readPackageJson(`${dir}/package.json`), files };
}

const packageJsons = globSync(
  workspaces.map((pattern) => `${pattern}/package.json`),
  { cwd: root },
);
const dirs = packageJsons.map((path) => dirname(path).replaceAll('\\', '/')).toSorted();
const projects = dirs.map(readProject);
const errors = checkBoundaries(readPackageJson('package.json'), projects);
for (const error of errors) console.error(error);
console.log(`${projects.length} projects checked, ${errors.length} boundary errors`);
process.exitCode = errors.length > 0 ? 1 : 0;
