// npm run generate:deployment [-- --check]
// Writes the manifests that follow from deploy/installation: those of Compose, the dashboards and the charts. With
// --check it writes nothing, names each file that differs, and ends with exit code 1 when there is one.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ALL_IN_ONE } from '@saleschannel/installation';
import { format, getFileInfo, resolveConfig } from 'prettier';
import { planFile } from './compose/plan.ts';
import { composeFile } from './compose/render.ts';
import { versionsFile } from './compose/versions.ts';
import { watchFile } from './compose/watch.ts';
import { helmFiles } from './helm/render.ts';
import { observeFiles } from './observe/render.ts';

const root = resolve(import.meta.dirname, '..');
const { values: options } = parseArgs({ options: { check: { type: 'boolean' } } });

/** Texts by path, by the folder that they are in. The charts have copies of the dashboards: they come last. */
const parts: [folder: string, files: () => Record<string, string>][] = [
  [
    '.',
    () => ({
      'docker-compose.yml': composeFile('separate'),
      [`docker-compose.${ALL_IN_ONE}.yml`]: composeFile(ALL_IN_ONE),
      'docker-compose.watch.yml': watchFile(),
    }),
  ],
  ['deploy/compose', () => ({ 'plan.sh': planFile(), 'versions.env': versionsFile() })],
  ['deploy/observe', observeFiles],
  ['deploy/helm', helmFiles],
];

/** @returns whether it differed */
async function put(path: string, text: string): Promise<boolean> {
  const file = join(root, path);
  const { ignored, inferredParser } = await getFileInfo(file, { ignorePath: join(root, '.prettierignore') });
  const isFormatted = !ignored && inferredParser !== null;
  const wanted = isFormatted ? await format(text, { ...(await resolveConfig(file)), filepath: file }) : text;
  if (existsSync(file) && readFileSync(file, 'utf8') === wanted) return false;
  if (options.check) process.stderr.write(`${path} is not what deploy/installation makes it\n`);
  else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, wanted);
  }
  return true;
}

let count = 0;
let differing = 0;
for (const [folder, files] of parts)
  for (const [path, text] of Object.entries(files())) {
    count++;
    if (await put(join(folder, path), text)) differing++;
  }
if (options.check) process.exitCode = differing > 0 ? 1 : 0;
else process.stdout.write(`${count} files, ${differing} of them written\n`);
