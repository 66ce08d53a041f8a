import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'scripts';
const INLINE = /<script(?![^>]*\bsrc=)([^>]*)>([\s\S]*?)<\/script>/g;

/**
 * Makes files of the scripts that stand in pages. The policy of the server lets none stand there: whoever could write
 * into a page could run a script otherwise.
 */
export function makeScriptsExternal(folder: string, base: string): void {
  mkdirSync(join(folder, FOLDER), { recursive: true });
  for (const name of globSync('**/*.html', { cwd: folder })) {
    const file = join(folder, name);
    const html = readFileSync(file, 'utf8');
    const external = html.replaceAll(INLINE, (_whole, attributes: string, content: string) => {
      const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
      writeFileSync(join(folder, FOLDER, `${hash}.js`), content);
      return `<script${attributes} src="${base}/${FOLDER}/${hash}.js"></script>`;
    });
    writeFileSync(file, external);
  }
}
