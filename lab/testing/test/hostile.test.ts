import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findSuperLinear, type HostileRequest } from '../src/index.ts';

/** The finished pages once went through this expression. */
// oxlint-disable-next-line regexp/no-super-linear-backtracking, regexp/no-super-linear-move
const betweenTags = />\s*\n\s*</g;
const ECHOED_AT_MOST = 4_000;

/** Shown often enough that the expression costs several times what a busy machine adds to a request. */
const SHOWN_TIMES = 3;
/** Pages that hold what was sent. Those under `/compact` remove space from the finished page. */
const pageOf = (sent: string): string =>
  `<p>Sent</p>\n${`<textarea>\n${sent}</textarea>\n`.repeat(SHOWN_TIMES)}<p>End</p>`;

let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      const sent = body + (searchParams.get('shown') ?? '') + decodeURIComponent(pathname.replace(/^\/\w+\//, ''));
      const page = pageOf(sent.slice(0, ECHOED_AT_MOST));
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

test('a page whose cost is quadratic in what it shows is found, wherever in a request that was sent', async () => {
  const found = await findSuperLinear(url, requestsTo('/compact'));
  const places = ['the query parameter shown', 'the path', 'a body of application/json'];
  for (const place of places) expect(found.join('\n')).toContain(`line ends in ${place}`);
  expect(found.join('\n')).not.toContain('parameter other');
});

test('a page whose cost grows with what it shows is not', async () => {
  expect(await findSuperLinear(url, requestsTo('/plain'))).toEqual([]);
});
