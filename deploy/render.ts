// The manifests that follow from deploy/installation, for `npm run generate`.
import { join, resolve } from 'node:path';
import { ALL_IN_ONE } from '@saleschannel/installation';
import { format, getFileInfo, resolveConfig } from 'prettier';
import { planFile } from './compose/plan.ts';
import { composeFile } from './compose/render.ts';
import { versionsFile } from './compose/container.ts';
import { watchFile } from './compose/watch.ts';
import { helmFiles } from './helm/render.ts';
import { observeFiles } from './observe/render.ts';

const root = resolve(import.meta.dirname, '..');

const inFolder = (folder: string, files: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [join(folder, path), text]));

async function formatted(path: string, text: string): Promise<string> {
  const file = join(root, path);
  const { ignored, inferredParser } = await getFileInfo(file, { ignorePath: join(root, '.prettierignore') });
  if (ignored || inferredParser === null) return text;
  return format(text, { ...(await resolveConfig(file)), filepath: file });
}

/** Compose files, dashboards and charts: the text of each, by its path from the root. */
export async function deploymentFiles(): Promise<Record<string, string>> {
  const texts = {
    'docker-compose.yml': composeFile('separate'),
    [`docker-compose.${ALL_IN_ONE}.yml`]: composeFile(ALL_IN_ONE),
    'docker-compose.watch.yml': watchFile(),
    ...inFolder('deploy/compose', { 'plan.sh': planFile(), 'versions.env': versionsFile() }),
    ...inFolder('deploy/observe', observeFiles()),
    ...inFolder('deploy/helm', helmFiles()),
  };
  const all = Object.entries(texts).map(async ([path, text]) => [path, await formatted(path, text)] as const);
  return Object.fromEntries(await Promise.all(all));
}
