// npm run generate:deployment [-- --check]
// Writes the manifests that follow from deploy/installation: docker-compose.yml and the charts in deploy/helm. With
// --check it writes nothing, names each file that differs, and ends with exit code 1 when there is one.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { format, getFileInfo, resolveConfig } from 'prettier';
import { composeFile } from './compose/render.ts';
import { helmFiles } from './helm/render.ts';

const root = resolve(import.meta.dirname, '..');
const { values: options } = parseArgs({ options: { check: { type: 'boolean' } } });

const files: Record<string, string> = { 'docker-compose.yml': composeFile() };
for (const [path, text] of Object.entries(helmFiles())) files[`deploy/helm/${path}`] = text;

let differing = 0;
for (const [path, text] of Object.entries(files)) {
  const file = join(root, path);
  const { ignored } = await getFileInfo(file, { ignorePath: join(root, '.prettierignore') });
  const wanted = ignored ? text : await format(text, { ...(await resolveConfig(file)), filepath: file });
  if (existsSync(file) && readFileSync(file, 'utf8') === wanted) continue;
  differing++;
  if (options.check) process.stderr.write(`${path} is not what deploy/installation makes it\n`);
  else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, wanted);
  }
}
if (options.check) process.exitCode = differing > 0 ? 1 : 0;
else process.stdout.write(`${Object.keys(files).length} files, ${differing} of them written\n`);
