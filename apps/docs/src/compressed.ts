import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

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
