import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { Router } from 'express';
import type { FileAddresses } from './layout.ts';

const { resolve } = createRequire(import.meta.url);

/** Fonts of all pages. Browsers fetch only the subsets that a page needs. */
const fontStyles = ['ibm-plex-sans/400', 'ibm-plex-sans/600', 'ibm-plex-mono/400'];
const FONT_SOURCE = /src: url\(\.\/(files\/[\w-]+)\.woff2\)[^;]*/g;

const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Files with a hash of their content in the address. */
class HashedFiles {
  readonly router = Router();

  add(name: string, type: string, plain: Buffer): string {
    const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 12);
    const address = `/public/${name}-${hash}`;
    // Fonts are already compressed.
    const compressed = type.startsWith('text/') ? brotliCompressSync(plain) : undefined;
    this.router.get(address, (request, response) => {
      const isCompressed = compressed !== undefined && request.acceptsEncodings('br') === 'br';
      response.set({ 'Content-Type': type, 'Cache-Control': IMMUTABLE, Vary: 'Accept-Encoding' });
      if (isCompressed) response.set('Content-Encoding', 'br');
      response.send(isCompressed ? compressed : plain);
    });
    return address;
  }
}

/** Returns the CSS rules of the fonts, with their addresses here. */
function fontRules(files: HashedFiles): string {
  return fontStyles
    .map((name) => {
      const path = resolve(`@fontsource/${name}.css`);
      return readFileSync(path, 'utf8').replaceAll(FONT_SOURCE, (_source, font: string) => {
        const content = readFileSync(join(dirname(path), `${font}.woff2`));
        return `src: url(${files.add(font.replace('files/', ''), 'font/woff2', content)}) format('woff2')`;
      });
    })
    .join('\n');
}

export function createPublicFiles(): { readonly router: Router; readonly addresses: FileAddresses } {
  const files = new HashedFiles();
  const read = (name: string): Buffer => readFileSync(join(import.meta.dirname, 'gen', name));
  const style = Buffer.from(fontRules(files) + read('style.css').toString());
  const addresses = {
    style: files.add('style', 'text/css; charset=utf-8', style),
    script: files.add('script', 'text/javascript; charset=utf-8', read('script.js')),
  };
  return { router: files.router, addresses };
}
