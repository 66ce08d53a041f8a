// Module boundaries from package.json and import statements alone (no compiler API, which TypeScript 7 does not have).
// Pure: check-boundaries.ts reads the files and prints the errors.
import { builtinModules } from 'node:module';
import { posix } from 'node:path';

export interface PackageJson {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly nx?: { readonly tags?: readonly string[] };
}

export interface SourceFile {
  /** From the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Project {
  /** From the repository's root, e.g. `libs/errors`. */
  readonly dir: string;
  readonly packageJson: PackageJson;
  readonly files: readonly SourceFile[];
}

interface Import {
  readonly line: number;
  readonly specifier: string;
  readonly isTypeOnly: boolean;
}

type Use = 'any' | 'types' | 'none';

/** Which projects a project may depend on, by their `type:` tags; `type:e2e` joins everything and may depend on anything. */
const allowedTypes: Readonly<Record<string, readonly string[]>> = {
  'type:lib': ['type:lib'],
  'type:app': ['type:lib'],
  'type:tool': ['type:lib'],
  'type:e2e': ['type:lib', 'type:app', 'type:tool', 'type:e2e'],
};

/** Tests of any project may use it undeclared: declaring it in the libraries it is built from would make a cycle. */
const TEST_KIT = '@saleschannel/testing';

/** Where packages with a home may be imported; the first pattern that fits a file's path decides, no fit means nowhere. */
const packageHomes: readonly { matches: RegExp; includesTests: boolean; homes: readonly (readonly [RegExp, Use])[] }[] =
  [
    { matches: /^amqplib$/, includesTests: false, homes: [[/^libs\/messaging\//, 'any']] },
    { matches: /^express$/, includesTests: false, homes: [[/^apps\/gateway\//, 'any']] },
    {
      matches: /^(pg|@mikro-orm\/.*)$/,
      includesTests: true,
      homes: [
        [/^libs\/(database|messaging|testing|local-backends)\//, 'any'],
        [/^deploy\/local\//, 'any'],
        [/^apps\/bench\//, 'any'],
        [/^apps\/[^/]+\/src\/(store\/|app\.ts$)/, 'any'],
        [/^apps\/[^/]+\/src\/(operations|consumers)\//, 'types'],
      ],
    },
  ];

const isTestFile = (path: string): boolean => /^[^/]+\/[^/]+\/test\/|\.test\.ts$/.test(path);
const isBuiltin = (specifier: string): boolean => specifier.startsWith('node:') || builtinModules.includes(specifier);
const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
const typesOf = (project: Project): string[] =>
  (project.packageJson.nx?.tags ?? []).filter((tag) => tag.startsWith('type:'));
const declaredBy = (project: Project): Record<string, string> => ({
  ...project.packageJson.devDependencies,
  ...project.packageJson.dependencies,
});

// A static import or export begins its line, possibly goes on over several, and holds no quote before its module name.
const STATIC_IMPORT = /^[ \t]*(?:import|export)\b(?<head>[^'"`;]*?)\bfrom\s*['"](?<specifier>[^'"\n]+)['"]/gm;
const BARE_IMPORT = /^[ \t]*import\s*['"](?<specifier>[^'"\n]+)['"]/gm;
// import('x'), require('x') and the resolve functions of both; import('x').Name is a type.
const CALLED_IMPORT =
  /(?<![\w.$])(?:import|import\.meta\.resolve|require|require\.resolve)\s*\(\s*['"](?<specifier>[^'"\n]+)['"]\s*\)(?<type>\.[A-Z])?/g;
const COMMENT_LINE = /^\s*(?:\/\/|\/\*|\*)/;

/** Every module that a file imports or re-exports. */
export function importsOf(text: string): Import[] {
  const found: Import[] = [];
  const lines = text.split('\n');
  for (const pattern of [STATIC_IMPORT, BARE_IMPORT, CALLED_IMPORT]) {
    for (const match of text.matchAll(pattern)) {
      const { specifier = '', head = '', type } = match.groups ?? {};
      const line = text.slice(0, match.index + match[0].indexOf(specifier)).split('\n').length;
      if (COMMENT_LINE.test(lines[line - 1] ?? '')) continue;
      found.push({ line, specifier, isTypeOnly: /^\s+type\b(?!\s+from\b)/.test(head) || type !== undefined });
    }
  }
  return found;
}

function homeError(file: SourceFile, name: string, isTypeOnly: boolean): string | undefined {
  const rule = packageHomes.find(({ matches }) => matches.test(name));
  if (!rule || (rule.includesTests && isTestFile(file.path))) return undefined;
  const use = rule.homes.find(([path]) => path.test(file.path))?.[1] ?? 'none';
  if (use === 'any' || (use === 'types' && isTypeOnly)) return undefined;
  return use === 'types' ? `${name} may only be imported as a type here` : `${name} may not be imported here`;
}

function isUsable(project: Project, file: SourceFile, name: string, versions: ReadonlySet<string>): boolean {
  if (!isTestFile(file.path)) {
    return name === project.packageJson.name || Object.hasOwn(project.packageJson.dependencies ?? {}, name);
  }
  return (
    name === project.packageJson.name ||
    Object.hasOwn(declaredBy(project), name) ||
    versions.has(name) ||
    name === TEST_KIT
  );
}

function fileErrors(project: Project, file: SourceFile, versions: ReadonlySet<string>): string[] {
  const errors: string[] = [];
  for (const { line, specifier, isTypeOnly } of importsOf(file.text)) {
    const at = `${file.path}:${line}: `;
    if (isBuiltin(specifier)) continue;
    if (specifier.startsWith('.') || specifier.startsWith('/')) {
      const target = posix.join(posix.dirname(file.path), specifier);
      if (!target.startsWith(`${project.dir}/`) || specifier.startsWith('/'))
        errors.push(`${at}"${specifier}" leaves the project`);
      continue;
    }
    const name = packageOf(specifier);
    if (!isUsable(project, file, name, versions))
      errors.push(`${at}${name} is not declared in ${project.dir}/package.json`);
    const misplaced = homeError(file, name, isTypeOnly);
    if (misplaced) errors.push(at + misplaced);
  }
  return errors;
}

function declarationErrors(
  project: Project,
  byName: ReadonlyMap<string, Project>,
  versions: ReadonlySet<string>,
): string[] {
  const errors: string[] = [];
  const [type, ...others] = typesOf(project);
  const allowed = type === undefined || others.length > 0 ? undefined : allowedTypes[type];
  if (!allowed) errors.push(`has not exactly one of the tags ${Object.keys(allowedTypes).join(', ')}`);
  for (const [name, version] of Object.entries(declaredBy(project))) {
    if (version !== '*') errors.push(`${name} must be declared as "*": versions stand in the root package.json`);
    const target = byName.get(name);
    if (!target) {
      if (!versions.has(name)) errors.push(`${name} has no version in the root package.json`);
    } else if (allowed && !typesOf(target).some((tag) => allowed.includes(tag))) {
      errors.push(`is ${type} and must not depend on ${name}, which is ${typesOf(target).join(' ') || 'untagged'}`);
    }
  }
  return errors.map((error) => `${project.dir}/package.json: ${error}`);
}

function cycleErrors(projects: readonly Project[], byName: ReadonlyMap<string, Project>): string[] {
  const errors: string[] = [];
  const finished = new Set<Project>();
  const path: Project[] = [];
  const visit = (project: Project): void => {
    if (path.includes(project)) {
      const cycle = [...path.slice(path.indexOf(project)), project];
      errors.push(`cycle of dependencies: ${cycle.map(({ packageJson }) => packageJson.name).join(' → ')}`);
      return;
    }
    if (finished.has(project)) return;
    path.push(project);
    for (const name of Object.keys(declaredBy(project))) {
      const target = byName.get(name);
      if (target) visit(target);
    }
    path.pop();
    finished.add(project);
  };
  for (const project of projects) visit(project);
  return errors;
}

/** All boundary errors of the workspaces, in words; empty when every boundary holds. */
export function checkBoundaries(root: PackageJson, projects: readonly Project[]): string[] {
  const byName = new Map(projects.map((project) => [project.packageJson.name, project]));
  const versions = new Set(Object.keys({ ...root.dependencies, ...root.devDependencies }));
  return [
    ...projects.flatMap((project) => [
      ...declarationErrors(project, byName, versions),
      ...project.files.flatMap((file) => fileErrors(project, file, versions)),
    ]),
    ...cycleErrors(projects, byName),
  ];
}
