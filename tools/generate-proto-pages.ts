// npm run generate:protos [-- --check]
//
// Writes docs/contribute/protos: a page for each package of protos/, with all its comments, and who serves and who may
// call each RPC, as the services themselves say. The pages stand in docs/ and not in the build of the site alone, so
// that a reviewer sees what a change of a contract does to its readers. With --check nothing is written, and a
// difference ends with exit code 1.
import { existsSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { protoPages } from './contracts/proto-pages.ts';
import { writeGenerated } from './generated-file.ts';

const FOLDER = 'docs/contribute/protos';
const folder = join(import.meta.dirname, '..', FOLDER);

const pages = await protoPages();
for (const [name, text] of pages) writeGenerated(`${FOLDER}/${name}`, text, 'generate:protos');
const left = existsSync(folder) ? globSync('*.md', { cwd: folder }).filter((name) => !pages.has(name)) : [];
for (const name of left) {
  if (process.argv.includes('--check')) {
    console.error(`${FOLDER}/${name} is of a package that is not there any more: npm run generate:protos`);
    process.exitCode = 1;
  } else rmSync(join(folder, name));
}
