import { errorCodes, meanings, type ErrorCode } from '@saleschannel/errors';

/** Headers of pages with text and links, without scripts. */
export const plainPageHeaders = {
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
export const startPage = plainPage(
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
export const problemPages = new Map(
  (Object.keys(errorCodes) as ErrorCode[]).map((code): [string, string] => [code, problemPage(code)]),
);
