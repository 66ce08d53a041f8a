// npm run generate:deployment [-- --check]
// Writes the manifests that follow from deploy/installation: those of Compose and most of deploy/k8s. With --check it
// writes nothing, names each file that differs, and ends with exit code 1 when there is one.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { composeFile } from './compose/render.ts';
import { watchFile } from './compose/watch.ts';
import { kubernetesFiles } from './k8s/render.ts';

const root = resolve(import.meta.dirname, '..');
const { values: options } = parseArgs({ options: { check: { type: 'boolean' } } });

const files: Record<string, string> = {
  'docker-compose.yml': composeFile(),
  'docker-compose.watch.yml': watchFile(),
};
for (const [path, text] of Object.entries(kubernetesFiles())) files[`deploy/k8s/${path}`] = text;

let differing = 0;
for (const [path, text] of Object.entries(files)) {
  const file = join(root, path);
  const wanted = await format(text, { ...(await resolveConfig(file)), filepath: file });
  if (existsSync(file) && readFileSync(file, 'utf8') === wanted) continue;
  differing++;
  if (options.check) process.stderr.write(`${path} is not what deploy/installation makes it\n`);
  else writeFileSync(file, wanted);
}
if (options.check) process.exitCode = differing > 0 ? 1 : 0;
else process.stdout.write(`${Object.keys(files).length} files, ${differing} of them written\n`);
