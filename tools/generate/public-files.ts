import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { root, type Files } from './files.ts';

const FOLDER = 'apps/portal/src/public';
const folder = join(root, FOLDER);

async function script(): Promise<string> {
  const { output } = (await build({
    configFile: false,
    root: folder,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      modulePreload: { polyfill: false },
      rolldownOptions: { input: join(folder, 'browser/script.ts') },
    },
  })) as Rolldown.RolldownOutput;
  return output[0].code;
}

const style = (): string =>
  [join(root, 'apps/web/src/shared/theme/tokens.css'), join(folder, 'style.css')]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

/** Files that browsers load with the portal's public pages: the signature check as one script, and the style. */
export const publicFiles = async (): Promise<Files> => ({
  [`${FOLDER}/gen/script.js`]: await script(),
  [`${FOLDER}/gen/style.css`]: style(),
});
