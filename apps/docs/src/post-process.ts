import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const FOLDER = 'scripts';
const INLINE = /<script(?![^>]*\bsrc=)([^>]*)>([\s\S]*?)<\/script>/g;

/**
 * Moves inline scripts into files. The content policy forbids inline scripts, so that injected markup cannot run code.
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

/** Text files. Pictures and the search index are already compressed. */
const TEXTS = '**/*.{html,css,js,json,svg,yaml,ts,proto,txt}';
/** Smaller files fit into a packet or two. */
const BYTES_AT_LEAST = 1_024;

/** Adds a compressed copy to each text, so that the gateway need not compress. */
export function compressTexts(folder: string): void {
  for (const entry of globSync(TEXTS, { cwd: folder, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const content = readFileSync(file);
    if (content.length >= BYTES_AT_LEAST) writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}
