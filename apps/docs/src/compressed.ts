import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Pictures and the index of the search are compressed already. */
const TEXTS = '**/*.{html,css,js,json,svg,yaml,ts,proto,txt}';
/** Smaller files fit a packet or two. */
const BYTES_AT_LEAST = 1_024;

/** Compresses each text at build time, for the gateway. */
export function compressTexts(folder: string): void {
  for (const entry of globSync(TEXTS, { cwd: folder, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const content = readFileSync(file);
    if (content.length >= BYTES_AT_LEAST) writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}
