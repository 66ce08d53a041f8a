// npm run generate:public [-- --check]
//
// Makes what browsers load with the public pages of the portal: the check of signatures as one small file without
// types, and a style that begins with the look of all other pages. With --check nothing is written, and a difference
// ends with exit code 1.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build, type Rolldown } from 'vite';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'apps/portal/src/public');

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

for (const [name, content] of [
  ['script.js', await script()],
  ['style.css', style()],
] as const) {
  const file = join(folder, 'gen', name);
  if (existsSync(file) && readFileSync(file, 'utf8') === content) continue;
  if (process.argv.includes('--check')) {
    console.error(`${relative(root, file)} is not what its sources make it: npm run generate:public`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}
