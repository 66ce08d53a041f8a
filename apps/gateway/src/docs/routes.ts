import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { SECURITY_TXT, SECURITY_TXT_TYPE, formatSecurityTxt } from '@saleschannel/runtime';
import { Router, type RequestHandler, type Response } from 'express';
import { errorCodes, meanings, type ErrorCode } from '@saleschannel/errors';
import {
  CONTRACT_WITH_SIGN_IN,
  toContractWithSignIn,
  toDocsHeaders,
  docsPage,
  SIGNED_IN_PATH,
  signedInPage,
  toStartScript,
  type DocsSignIn,
} from './contract-page.ts';
import { createSiteHandlers } from './site.ts';

const plainPageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cache-Control': 'public, max-age=3600',
};

const plainPage = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title}</title>
  <style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem }</style>
</head>
<body>
  <h1>${title}</h1>
  ${content}
</body>
</html>
`;

/** Shown to browsers at the address of the service. */
const startPage = plainPage(
  'Sales Channel Service',
  `<p>This API onboards traders, shows what they own, and trades, retires or offramps carbon-removal certificates.</p>
  <ul>
    <li><a href="/docs">Documentation</a></li>
    <li><a href="/docs/api">API reference, to read and try</a></li>
    <li><a href="/openapi.yaml">API contract (OpenAPI 3.1)</a></li>
    <li><a href="/readyz">Readiness of the service</a></li>
  </ul>`,
);

/** Formats one line of Markdown that has no markup except code. */
const toHtml = (text: string): string => text.replaceAll(/`([^`]*)`/g, '<code>$1</code>');

function problemPage(code: ErrorCode): string {
  const { http, title } = errorCodes[code];
  const { cause, cure } = meanings[code];
  return plainPage(
    title,
    `<p>Problem type <code>/problems/${code}</code>, HTTP status ${http}.</p>
  <p>${toHtml(cause)}</p>
  <p>${toHtml(cure)}</p>
  <p><a href="/docs">The API</a></p>`,
  );
}

/** Error code → page about the problem type `/problems/<code>`. */
const problemPages = new Map(
  (Object.keys(errorCodes) as ErrorCode[]).map((code): [string, string] => [code, problemPage(code)]),
);

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

const files: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': SCRIPT,
  'favicon-32x32.png': 'image/png',
  'oauth2-redirect.js': SCRIPT,
};

interface Page {
  readonly type: string;
  readonly body: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export interface PageOptions {
  /** Sends a page at the speed of its reader. */
  readonly send: (response: Response, headers: Record<string, string | number>, body: string | Buffer) => void;
  readonly commonHeaders: Readonly<Record<string, string>>;
  readonly methodNotAllowed: RequestHandler;
}

const cached = { 'Cache-Control': 'public, max-age=3600' };

export function createProblemRoutes(options: PageOptions): Router {
  const pages = [...problemPages].map(([code, body]): [string, Page] => [
    `/problems/${code}`,
    { type: HTML, body, headers: plainPageHeaders },
  ]);
  return createPageRoutes(pages, options);
}

export interface DocsOptions {
  /** Folder of the built documentation, which may be built after the start. */
  readonly folder: string;
  readonly signIn: DocsSignIn | undefined;
  /** security.txt does not exist if undefined. */
  readonly securityContact: string | undefined;
  readonly document: Readonly<Record<string, unknown>>;
}

/** API reference, with sign-in if it is configured. */
function contractPages({ signIn, document }: DocsOptions): [string, Page][] {
  const headers = toDocsHeaders(signIn);
  const page: Page = { type: HTML, body: docsPage, headers };
  const start: Page = { type: SCRIPT, body: toStartScript(signIn), headers: cached };
  const pages: [string, Page][] = [
    ['/docs/api', page],
    ['/docs/api/', page],
    ['/docs/start.js', start],
  ];
  if (!signIn) return pages;
  const withSignIn = JSON.stringify(toContractWithSignIn(document, signIn));
  return [
    ...pages,
    [CONTRACT_WITH_SIGN_IN, { type: 'application/json', body: withSignIn, headers: {} }],
    [SIGNED_IN_PATH, { type: HTML, body: signedInPage, headers }],
  ];
}

/** Serves the start page, `/docs`, the contracts and security.txt. @param documents further contracts, by path */
export function createSiteRoutes(
  options: PageOptions,
  docs: DocsOptions,
  documents: readonly (readonly [string, object])[],
): Router {
  const directory = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const router = createPageRoutes(
    [
      ...Object.entries(files).map(([name, type]): [string, Page] => [
        `/docs/${name}`,
        { type, body: readFileSync(join(directory, name)), headers: cached },
      ]),
      ...contractPages(docs),
      ...documents.map(([path, document]): [string, Page] => [
        path,
        { type: 'application/json', body: JSON.stringify(document), headers: {} },
      ]),
    ],
    options,
  );
  const { securityContact: contact } = docs;
  if (contact !== undefined) {
    router
      .route(SECURITY_TXT)
      .get((request, response, next) =>
        servePage({ type: SECURITY_TXT_TYPE, body: formatSecurityTxt(contact, Date.now()), headers: {} }, options)(
          request,
          response,
          next,
        ),
      )
      .all(options.methodNotAllowed);
  }
  router.use('/docs', ...createSiteHandlers(docs.folder, options.commonHeaders));
  // Programs accept anything or JSON, and get a 404.
  const start = servePage({ type: HTML, body: startPage, headers: { ...plainPageHeaders, Vary: 'Accept' } }, options);
  router.get('/', (request, response, next) =>
    request.accepts(['json', 'html']) === 'html' ? start(request, response, next) : next(),
  );
  return router;
}

function createPageRoutes(pages: readonly [string, Page][], options: PageOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, page] of pages) {
    router.route(path).get(servePage(page, options)).all(options.methodNotAllowed);
  }
  return router;
}

function servePage({ type, body, headers }: Page, { commonHeaders, send }: PageOptions): RequestHandler {
  const all = { ...commonHeaders, 'Content-Type': type, ...headers };
  if (typeof body === 'string') return (_request, response) => send(response, { ...all }, body);
  const vary = { ...all, Vary: 'Accept-Encoding' };
  let compressed: Promise<Buffer> | undefined;
  return async (request, response) => {
    if (!request.acceptsEncodings('gzip')) return send(response, { ...vary }, body);
    compressed ??= promisify(gzip)(body);
    send(response, { ...vary, 'Content-Encoding': 'gzip' }, await compressed);
  };
}
