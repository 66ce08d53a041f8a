import { html } from '@saleschannel/bff';
import type { PageParts } from './layout.ts';

const page = (title: string, text: string): PageParts => ({
  title,
  main: html`<h1>${title}</h1>
    <p>${text}</p>`,
});

/** For an address that no page has. */
export const nowherePage: PageParts = {
  title: 'There is no such page',
  main: html`<h1>There is no such page</h1>
    <p>Check the address, or go on from here:</p>
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
      return page('Nothing is here', 'There is no such statement or certificate, or it is not public.');
    case 400:
    case 415:
      return page('This cannot be read', 'Send the form of the page “Verify”, in UTF-8.');
    case 413:
      return page('This is too large', 'A statement is smaller than what was sent.');
    case 429:
      return page('Too many requests', `Too many requests came from your network address. Try again ${wait}.`);
    default:
      return page('Not available right now', `The register gave no answer. Try again ${wait}.`);
  }
}
