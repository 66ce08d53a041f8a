// npm run new-service -- <name> [--dry-run] [--no-proof]
//
// Creates apps/<name>: a service with a database, one gRPC service and tests over the wire, in the shape of
// docs/contribute/service-skeleton.md. Registers it in every list of services, generates files, runs its tests, and
// starts it as in the local stack. With --dry-run it only lists the files.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { fillTemplate, deriveNames } from './new-service/names.ts';
import { addToLock, register, listRegistrationFiles } from './new-service/registrations.ts';

const root = join(import.meta.dirname, '..');
const template = join(root, 'tools/new-service/template');
const options = {
  'dry-run': { type: 'boolean', default: false },
  'no-proof': { type: 'boolean', default: false },
} as const;
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const names = deriveNames(positionals[0] ?? '', new Date());
const { name } = names;
for (const path of [`apps/${name}`, `libs/${name}`, `protos/${names.snake}`]) {
  if (existsSync(join(root, path))) throw new Error(`${path} already exists`);
}

const created = globSync('**/*.template', { cwd: template }).map((file) => ({
  file: fillTemplate(file.replace(/\.template$/, ''), names),
  text: fillTemplate(readFileSync(join(template, file), 'utf8'), names),
}));
const manifest = JSON.parse(created.find(({ file }) => file === `apps/${name}/package.json`)?.text as string) as object;
// In memory first, so that a missing text leaves everything unchanged.
const changed = listRegistrationFiles().map((file) => {
  const before = readFileSync(join(root, file), 'utf8');
  const text = file === 'package-lock.json' ? addToLock(before, manifest, names) : register(file, before, names);
  return { file, text };
});

for (const { file } of created) console.log(`new      ${file}`);
for (const { file } of changed) console.log(`changed  ${file}`);
if (values['dry-run']) process.exit();

for (const { file, text } of [...created, ...changed]) {
  mkdirSync(join(root, dirname(file)), { recursive: true });
  writeFileSync(join(root, file), text);
}
// As npm install does.
symlinkSync(`../../apps/${name}`, join(root, `node_modules/@saleschannel/${name}`));

const run = (program: string, ...args: readonly string[]): void =>
  void execFileSync(join(root, 'node_modules/.bin', program), args, { cwd: root, stdio: 'inherit' });
const files = [...created, ...changed]
  .map(({ file }) => file)
  .filter((file) => !/\.md$|CODEOWNERS$|\.sql$|\.proto$/.test(file));
run('prettier', '--write', '--log-level', 'warn', ...files);
for (const script of ['generate', 'migrations'])
  execFileSync('npm', ['run', '-s', script], { cwd: root, stdio: 'inherit' });
if (!values['no-proof']) {
  execFileSync('npm', ['run', '-s', 'jest', '--', `apps/${name}/`], { cwd: root, stdio: 'inherit' });
  execFileSync(process.execPath, [join(root, 'tools/new-service/prove.ts'), name], { cwd: root, stdio: 'inherit' });
}
console.log(`Created apps/${name}. Next: replace the notes, and describe it in deploy/installation.`);
