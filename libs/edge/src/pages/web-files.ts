import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import { sandboxBand } from './sandbox.ts';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.txt': 'text/plain; charset=utf-8',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

/** Encodings that the build may have written beside a file, the best first. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** A year. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATED = 'no-cache';
const BYTES_AT_MOST = 64 * 1_048_576;

interface WebFile {
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly encoded: ReadonlyMap<string, Buffer>;
}

/**
 * The files of a built page, read at the start: what is not among them cannot be asked for, whatever a path looks like.
 * Files below `assets/` have a hash in their name and never change.
 */
export class WebFiles {
  readonly #folder: string;
  readonly #page: string;
  readonly #isSandbox: boolean;
  #files: ReadonlyMap<string, WebFile> = new Map();
  #builtAtMs = 0;

  /**
   * @param page file name of the page itself
   * @param isSandbox then the page has the band of one, whatever script does with it
   * @throws Error when there is no page in the folder
   */
  constructor(folder: string, page: string, isSandbox: boolean) {
    this.#folder = folder;
    this.#page = page;
    this.#isSandbox = isSandbox;
    if (!existsSync(join(folder, page))) throw new Error(`there is no ${page} in ${folder}: build the pages first`);
    this.#read();
  }

  /** Answers with a file of `assets/`, or goes on. */
  get assets(): RequestHandler {
    return (request, response, next) => {
      const file = this.#files.get(`assets${request.path}`);
      if (!file || !['GET', 'HEAD'].includes(request.method)) return next();
      response.set('Cache-Control', IMMUTABLE);
      send(request, response, file);
    };
  }

  /** Answers with the page. */
  sendPage(request: Request, response: Response, status = 200): void {
    this.#readAgainIfBuilt();
    const page = this.#files.get(this.#page);
    if (!page) throw new Error(`${this.#page} is gone`);
    response.status(status).set('Cache-Control', REVALIDATED);
    send(request, response, page);
  }

  /** A text file beside the page, for the server itself. */
  text(name: string): string | undefined {
    this.#readAgainIfBuilt();
    return this.#files.get(name)?.plain.toString('utf8');
  }

  /** Whoever works on pages builds them again while the server runs. */
  #readAgainIfBuilt(): void {
    const stats = statSync(join(this.#folder, this.#page), { throwIfNoEntry: false });
    if (stats && stats.mtimeMs !== this.#builtAtMs) this.#read();
  }

  #read(): void {
    const names = globSync('**/*.*', { cwd: this.#folder, withFileTypes: false }).filter(
      (name) => extname(name) in types,
    );
    let bytes = 0;
    const contentOf = (name: string): Buffer => {
      const content = readFileSync(join(this.#folder, name));
      bytes += content.length;
      if (bytes > BYTES_AT_MOST) throw new Error(`${this.#folder} holds more than pages need`);
      return content;
    };
    this.#files = new Map(
      names.map((name) => {
        const hasBand = this.#isSandbox && name === this.#page;
        const plain = hasBand ? withBand(contentOf(name)) : contentOf(name);
        const encoded = encodings.flatMap(([encoding, ending]): [string, Buffer][] =>
          !hasBand && existsSync(join(this.#folder, name + ending)) ? [[encoding, contentOf(name + ending)]] : [],
        );
        const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
        const type = types[extname(name)] ?? 'application/octet-stream';
        return [name.replaceAll('\\', '/'), { type, etag, plain, encoded: new Map(encoded) }];
      }),
    );
    this.#builtAtMs = statSync(join(this.#folder, this.#page)).mtimeMs;
  }
}

/** @throws Error for a page without a body to put it in */
function withBand(page: Buffer): Buffer {
  const text = page.toString('utf8');
  if (!text.includes('<body>')) throw new Error('the page of a sandbox has no place for its band');
  return Buffer.from(text.replace('<body>', `<body>${sandboxBand.toString()}`));
}

function send(request: Request, response: Response, { type, etag, plain, encoded }: WebFile): void {
  const accepted = encodings.find(([encoding]) => encoded.has(encoding) && request.acceptsEncodings(encoding));
  const body = (accepted && encoded.get(accepted[0])) ?? plain;
  response.set({
    'Content-Type': type,
    Vary: 'Accept-Encoding',
    ETag: accepted ? etag.replace(/"$/, `-${accepted[0]}"`) : etag,
  });
  if (accepted) response.set('Content-Encoding', accepted[0]);
  // Express answers If-None-Match and HEAD by itself.
  response.send(body);
}
