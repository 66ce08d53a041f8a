import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { html, type PublicReply, sandboxBanner, type Html } from '@saleschannel/edge/pages';
import { errorCodes, type DomainError } from '@saleschannel/errors';
import { type Response, Router } from 'express';
import { STALE_SECONDS_AT_MOST } from './register-api.ts';
import { formatMoment } from './statement.ts';

export interface PageParts {
  readonly title: string;
  readonly main: Html;
  /** Canonical address, for a page with several. */
  readonly canonical?: string;
  /** Whether the page has the script that checks signatures. */
  readonly hasScript?: boolean;
}

interface FileAddresses {
  readonly style: string;
  readonly script: string;
}

interface PageSettings extends FileAddresses {
  readonly isSandbox: boolean;
}

/** Renders a public page, which works without script. @param notice text above the content */
function renderPage(
  { style, script, isSandbox }: PageSettings,
  { title, main, canonical, hasScript }: PageParts,
  notice?: string,
): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="stylesheet" href="${style}" />
        ${canonical === undefined ? undefined : html`<link rel="canonical" href="${canonical}" />`}
        ${hasScript ? html`<script type="module" src="${script}"></script>` : undefined}
      </head>
      <body>
        ${isSandbox ? sandboxBanner : undefined}
        <a class="skip" href="#main">Skip to content</a>
        <header>
          <nav aria-label="Public register">
            <a href="/register">Register of retirements</a>
            <a href="/verify">Verify</a>
          </nav>
        </header>
        <main id="main">
          ${notice === undefined ? undefined : html`<p class="wait" role="status">${notice}</p>`}${main}
        </main>
      </body>
    </html>`.toString();
}

export const wrapTable = (label: string, table: Html): Html =>
  html`<div class="scroll" role="region" tabindex="0" aria-label="${label}">${table}</div>`;

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

/** Short, because more of a statement may become public. */
const MAX_AGE_SECONDS = 60;

const createTag = (content: string | Buffer): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

export interface Visibility {
  /** Whether it is listed, so that search engines may index it. Otherwise only people with the link should find it. */
  readonly isListed: boolean;
  /** Age of a copy. Undefined for a current answer of the API. */
  readonly ageSeconds?: number | undefined;
}

/** Sends answers of public pages, with headers for caches and search engines. */
export class PageResponder {
  readonly #frame: PageSettings;
  readonly #now: () => number;

  /** @param now milliseconds since 1970 */
  constructor(frame: PageSettings, now: () => number) {
    this.#frame = frame;
    this.#now = now;
  }

  sendPage(response: Response, parts: PageParts, visibility: Visibility): void {
    const { ageSeconds } = visibility;
    const notice =
      ageSeconds === undefined
        ? undefined
        : `The register is not responding at the moment. This page shows data of ${this.#momentBefore(ageSeconds)}.`;
    this.sendDocument(response, 'text/html; charset=utf-8', renderPage(this.#frame, parts, notice), visibility);
  }

  sendDocument(response: Response, type: string, content: string | Buffer, { isListed, ageSeconds }: Visibility): void {
    response.set({ 'Content-Type': type, ETag: createTag(content), ...cacheHeaders(isListed, ageSeconds) });
    if (!isListed) response.set('X-Robots-Tag', 'noindex');
    // Express handles If-None-Match and HEAD.
    response.send(Buffer.from(content));
  }

  #momentBefore(seconds: number): string {
    return formatMoment(new Date(this.#now() - seconds * 1_000).toISOString());
  }

  /** Answers a reader if the API has no content. The API's 400, for a malformed id, is a 404 for readers. */
  sendFailure(response: Response, { status: apiStatus, headers }: Pick<PublicReply, 'status' | 'headers'>): void {
    const status = apiStatus === 400 ? 404 : [404, 429].includes(apiStatus) ? apiStatus : 503;
    this.#sendError(response, status, headers['retry-after']);
  }

  sendNotFound(response: Response): void {
    this.#send(response, 404, notFoundPage);
  }

  sendRefusal(response: Response, { code, retryAfterSeconds }: DomainError): void {
    const status = code === 'malformed-request' ? 404 : errorCodes[code].http;
    this.#sendError(response, status, retryAfterSeconds === undefined ? undefined : String(retryAfterSeconds));
  }

  #sendError(response: Response, status: number, retryAfter: string | undefined): void {
    if (retryAfter !== undefined) response.set('Retry-After', retryAfter);
    this.#send(response, status, errorPage(status, retryAfter));
  }

  #send(response: Response, status: number, parts: PageParts): void {
    response
      .status(status)
      .set({ 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' })
      .send(renderPage(this.#frame, parts));
  }
}

function cacheHeaders(isListed: boolean, ageSeconds: number | undefined): Record<string, string> {
  if (ageSeconds !== undefined)
    return { 'Cache-Control': 'no-store', Age: String(ageSeconds), Warning: '111 - "Revalidation Failed"' };
  const scope = isListed ? 'public' : 'private';
  return { 'Cache-Control': `${scope}, max-age=${MAX_AGE_SECONDS}, stale-if-error=${STALE_SECONDS_AT_MOST}` };
}

const page = (title: string, text: string): PageParts => ({
  title,
  main: html`<h1>${title}</h1>
    <p>${text}</p>`,
});

const notFoundPage: PageParts = {
  title: 'Page not found',
  main: html`<h1>Page not found</h1>
    <p>Check the address, or continue here:</p>
    <ul>
      <li><a href="/register">Register of retirements</a></li>
      <li><a href="/verify">Verify a certificate or a statement</a></li>
      <li><a href="/">Sign in</a></li>
    </ul>`,
};

/** Page for an answer without content. @param status status of the answer */
function errorPage(status: number, retryAfterSeconds: string | undefined): PageParts {
  const wait = retryAfterSeconds === undefined ? 'in a moment' : `in ${retryAfterSeconds} s`;
  switch (status) {
    case 404:
      return page('Not found', 'The statement or certificate does not exist or is not public.');
    case 400:
    case 415:
      return page('The form cannot be read', 'Send the form on the page “Verify”, in UTF-8.');
    case 413:
      return page('Too large', 'The text is larger than a statement can be.');
    case 429:
      return page('Too many requests', `Too many requests came from your network address. Try again ${wait}.`);
    default:
      return page('Temporarily unavailable', `The register did not respond. Try again ${wait}.`);
  }
}
