// Part of "npm run lint": checks dependencies between projects. The tag "type:…" of a project, which Nx shows in its
// graph, follows from its folder and limits its production dependencies. Tests may depend on any project. Nx itself
// enforces such rules only through ESLint.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/** Types on which each type may depend. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  lib: ['lib'],
  service: ['lib'],
  edge: ['lib'],
  pages: [],
  program: ['lib'],
  host: ['lib', 'service', 'edge'],
  client: ['lib', 'client'],
  deploy: ['lib', 'service', 'edge', 'program', 'deploy'],
  lab: ['lib', 'service', 'edge', 'program', 'client', 'deploy', 'lab'],
  tool: [],
};
/** Exceptions. The sandbox reads the kinds of events from the public client. */
const exceptions: ReadonlySet<string> = new Set(['apps/sandbox → clients/sdk']);
/** Libraries without input and output, which depend on each other only. */
const pure: ReadonlySet<string> = new Set(['libs/contracts', 'libs/errors', 'libs/primitives']);
/** Types of the projects in each top folder. `apps` holds the deployed ones. */
const typesIn: Readonly<Record<string, readonly string[]>> = {
  apps: ['service', 'edge', 'pages', 'program', 'host'],
  libs: ['lib'],
  clients: ['client'],
  lab: ['lab'],
  deploy: ['deploy'],
  tools: ['tool'],
};
const LIBRARIES_AT_MOST = 12;

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly nx?: { readonly tags?: readonly string[] };
}

const projects = globSync('{apps,libs,clients,lab,deploy,tools}/*/package.json', { cwd: root }).map((file) => {
  const { name, dependencies = {}, nx } = JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest;
  const type = nx?.tags?.find((tag) => tag.startsWith('type:'))?.slice('type:'.length);
  return { name, folder: dirname(file), type, dependencies: Object.keys(dependencies) };
});
const byName = new Map(projects.map((project) => [project.name, project]));
const faults: string[] = [];

for (const { folder, type, dependencies } of projects) {
  const types = typesIn[folder.split('/')[0] ?? ''] ?? [];
  if (type === undefined || !types.includes(type))
    faults.push(`${folder}/package.json: tag it as ${types.map((each) => `type:${each}`).join(' or ')}`);
  for (const other of dependencies.flatMap((name) => byName.get(name) ?? [])) {
    const isAllowed = pure.has(folder) ? pure.has(other.folder) : allowed[type ?? '']?.includes(other.type ?? '');
    if (!isAllowed && !exceptions.has(`${folder} → ${other.folder}`))
      faults.push(`${folder}/package.json: must not depend on ${other.folder}`);
  }
}
const libraries = projects.filter(({ type }) => type === 'lib').length;
if (libraries > LIBRARIES_AT_MOST) faults.push(`libs: has ${libraries} libraries, more than ${LIBRARIES_AT_MOST}`);

for (const fault of faults) console.error(fault);
console.log(`${projects.length} projects, ${faults.length} faults`);
process.exitCode = faults.length > 0 ? 1 : 0;
