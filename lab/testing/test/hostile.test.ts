import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findSuperLinear, type HostileRequest } from '../src/index.ts';

/** The portal's finished pages once passed through this expression. */
// oxlint-disable-next-line regexp/no-super-linear-backtracking, regexp/no-super-linear-move
const betweenTags = />\s*\n\s*</g;
const ECHOED_AT_MOST = 4_000;

/** Shown often enough that the expression costs several times the noise of a busy machine. */
const SHOWN_TIMES = 3;
/** Pages that contain the sent text. Those under `/compact` remove whitespace from the finished page. */
const renderPage = (sent: string): string =>
  `<p>Sent</p>\n${`<textarea>\n${sent}</textarea>\n`.repeat(SHOWN_TIMES)}<p>End</p>`;

let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      const sent = body + (searchParams.get('shown') ?? '') + decodeURIComponent(pathname.replace(/^\/\w+\//, ''));
      const page = renderPage(sent.slice(0, ECHOED_AT_MOST));
      response.end(pathname.startsWith('/compact') ? page.replaceAll(betweenTags, '><') : page);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const requestsTo = (path: string): HostileRequest[] => [
  { method: 'GET', path, headers: {}, parameters: ['other', 'shown'] },
  { method: 'GET', path: `${path}/{}`, headers: {}, parameters: [] },
  { method: 'POST', path, headers: {}, parameters: [], example: { name: 'a' } },
];

test('a page with quadratic cost is found, in whichever part of a request the text is', async () => {
  const found = await findSuperLinear(url, requestsTo('/compact'));
  const places = ['the query parameter shown', 'the path', 'a body of application/json'];
  for (const place of places) expect(found.join('\n')).toContain(`line ends in ${place}`);
  expect(found.join('\n')).not.toContain('parameter other');
});

test('a page with linear cost is not reported', async () => {
  expect(await findSuperLinear(url, requestsTo('/plain'))).toEqual([]);
});
