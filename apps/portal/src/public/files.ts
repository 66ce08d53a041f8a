import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { Router } from 'express';
import type { FileAddresses } from './layout.ts';

const files = [
  { name: 'style', path: 'style.css', type: 'text/css; charset=utf-8' },
  { name: 'script', path: 'gen/script.js', type: 'text/javascript; charset=utf-8' },
] as const;

const IMMUTABLE = 'public, max-age=31536000, immutable';

/** The two files of public pages. Their addresses change with what is in them. */
export function publicFiles(): { readonly router: Router; readonly addresses: FileAddresses } {
  const router = Router();
  const addresses = files.map(({ name, path, type }): [string, string] => {
    const plain = readFileSync(join(import.meta.dirname, path));
    const compressed = brotliCompressSync(plain);
    const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 12);
    const address = `/public/${name}-${hash}`;
    router.get(address, (request, response) => {
      const isCompressed = request.acceptsEncodings('br') === 'br';
      response.set({ 'Content-Type': type, 'Cache-Control': IMMUTABLE, Vary: 'Accept-Encoding' });
      if (isCompressed) response.set('Content-Encoding', 'br');
      response.send(isCompressed ? compressed : plain);
    });
    return [name, address];
  });
  return { router, addresses: Object.fromEntries(addresses) as unknown as FileAddresses };
}
