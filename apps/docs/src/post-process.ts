import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

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

/** What is text. Pictures, and the index of the search, are compressed as they are. */
const TEXTS = '**/*.{html,css,js,json,svg,yaml,ts,proto,txt}';
/** Less than that fits a packet or two anyway. */
const BYTES_AT_LEAST = 1_024;

/** Puts a compressed file beside each text, once, so that the gateway has no work with it. */
export function compressTexts(folder: string): void {
  for (const name of globSync(TEXTS, { cwd: folder })) {
    const content = readFileSync(join(folder, name));
    if (content.length >= BYTES_AT_LEAST) writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
  }
}
