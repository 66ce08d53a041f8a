import { errorCodes, meanings, type ErrorCode } from '@saleschannel/errors';
import { plainPage } from './plain-page.ts';

/** Markdown of one line: nothing in it but code. */
const html = (text: string): string => text.replaceAll(/`([^`]*)`/g, '<code>$1</code>');

/** Code → a page about the problem type `/problems/<code>`. */
export const problemPages = new Map(
  (Object.keys(errorCodes) as ErrorCode[]).map((code): [string, string] => [code, pageOf(code)]),
);

function pageOf(code: ErrorCode): string {
  const { http, title } = errorCodes[code];
  const { cause, cure } = meanings[code];
  return plainPage(
    title,
    `<p>Problem type <code>/problems/${code}</code>, HTTP status ${http}.</p>
  <p>${html(cause)}</p>
  <p>${html(cure)}</p>
  <p><a href="/docs">The API</a></p>`,
  );
}
