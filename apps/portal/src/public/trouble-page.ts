import { html } from '@saleschannel/edge/pages';
import type { PageParts } from './layout.ts';

const page = (title: string, text: string): PageParts => ({
  title,
  main: html`<h1>${title}</h1>
    <p>${text}</p>`,
});

/** For an address that no page has. */
export const nowherePage: PageParts = {
  title: 'Page not found',
  main: html`<h1>Page not found</h1>
    <p>Check the address, or continue here:</p>
    <ul>
      <li><a href="/register">Register of retirements</a></li>
      <li><a href="/verify">Verify a certificate or a statement</a></li>
      <li><a href="/">Sign in</a></li>
    </ul>`,
};

/** What a reader is told when there is nothing to show. @param status of the answer */
export function troublePage(status: number, retryAfterSeconds: string | undefined): PageParts {
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
