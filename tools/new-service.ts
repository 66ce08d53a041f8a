// npm run new-service -- <name> [--dry-run] [--no-proof]
//
// Makes apps/<name>: a service with a database, one gRPC service and its tests over the wire, in the shape of
// docs/contribute/service-skeleton.md. Registers it wherever a service is named, runs what generates, and proves it:
// its tests run, and it starts as in the local stack and answers. With --dry-run it only names the files.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { filled, namesOf } from './new-service/names.ts';
import { lockedWith, registered, registeredIn } from './new-service/registrations.ts';

const root = join(import.meta.dirname, '..');
const template = join(root, 'tools/new-service/template');
const options = {
  'dry-run': { type: 'boolean', default: false },
  'no-proof': { type: 'boolean', default: false },
} as const;
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const names = namesOf(positionals[0] ?? '', new Date());
const { name } = names;
for (const taken of [`apps/${name}`, `libs/${name}`, `protos/${names.snake}`]) {
  if (existsSync(join(root, taken))) throw new Error(`${taken} is there already`);
}

const made = globSync('**/*.template', { cwd: template }).map((file) => ({
  file: filled(file.replace(/\.template$/, ''), names),
  text: filled(readFileSync(join(template, file), 'utf8'), names),
}));
const manifest = JSON.parse(made.find(({ file }) => file === `apps/${name}/package.json`)?.text as string) as object;
// Made in memory first: a place that is not found leaves everything as it was.
const changed = registeredIn().map((file) => {
  const before = readFileSync(join(root, file), 'utf8');
  const text = file === 'package-lock.json' ? lockedWith(before, manifest, names) : registered(file, before, names);
  return { file, text };
});

for (const { file } of made) console.log(`new      ${file}`);
for (const { file } of changed) console.log(`changed  ${file}`);
if (values['dry-run']) process.exit();

for (const { file, text } of [...made, ...changed]) {
  mkdirSync(join(root, dirname(file)), { recursive: true });
  writeFileSync(join(root, file), text);
}
// As npm install would.
symlinkSync(`../../apps/${name}`, join(root, `node_modules/@saleschannel/${name}`));

const run = (program: string, ...args: readonly string[]): void =>
  void execFileSync(join(root, 'node_modules/.bin', program), args, { cwd: root, stdio: 'inherit' });
const files = [...made, ...changed]
  .map(({ file }) => file)
  .filter((file) => !/\.md$|CODEOWNERS$|\.sql$|\.proto$/.test(file));
run('prettier', '--write', '--log-level', 'warn', ...files);
for (const script of ['generate', 'migrations'])
  execFileSync('npm', ['run', '-s', script], { cwd: root, stdio: 'inherit' });
if (!values['no-proof']) {
  execFileSync('npm', ['run', '-s', 'jest', '--', `apps/${name}/`], { cwd: root, stdio: 'inherit' });
  execFileSync(process.execPath, [join(root, 'tools/new-service/prove.ts'), name], { cwd: root, stdio: 'inherit' });
}
console.log(`apps/${name} is there. Next: its own words instead of notes, its description in deploy/installation.`);
