// npm run generate:script [-- --check]
//
// Makes of the check of signatures what browsers load with the public pages of the portal: one small file, without
// types. With --check nothing is written, and a difference ends with exit code 1.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type Rolldown } from 'vite';

const folder = join(import.meta.dirname, '../apps/portal/src/public');
const file = join(folder, 'gen/script.js');

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

const [chunk] = output;
if (existsSync(file) && readFileSync(file, 'utf8') === chunk.code) process.exit();
if (process.argv.includes('--check')) {
  console.error(`${file} is not what its sources make it: npm run generate:script`);
  process.exitCode = 1;
} else {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, chunk.code);
}
