import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import express from 'express';
import { CookieJar } from '../src/pages/index.ts';

const jar = new CookieJar({ application: 'app', isSecure: true });
const options = { sameSite: 'strict', maxAgeSeconds: 60 } as const;

let server: Server;
let url = 'not yet';

beforeAll(async () => {
  const app = express();
  app.get('/write/:length', (request, response) => {
    jar.writePieces(response, 'session', 'x'.repeat(Number(request.params.length)), options);
    response.end();
  });
  app.get('/read', (request, response) => void response.json({ length: jar.readPieces(request, 'session')?.length }));
  app.use(((_error, _request, response, _next) => void response.status(500).end()) as express.ErrorRequestHandler);
  server = await new Promise<Server>((resolve) => {
    const started = app.listen(0, '127.0.0.1', () => resolve(started));
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())));

const written = async (length: number): Promise<string[]> =>
  (await fetch(`${url}/write/${length}`)).headers.getSetCookie();
const toPair = (line: string): string => line.split('; ')[0] ?? line;
const kept = (lines: readonly string[]): string[] => lines.filter((line) => !line.includes('Max-Age=0')).map(toPair);
const readLength = async (cookies: readonly string[]): Promise<unknown> =>
  (await fetch(`${url}/read`, { headers: { cookie: cookies.join('; ') } })).json();

test.each([0, 1, 3_799, 3_800, 3_801, 12_345, 15_000])('%p characters are read unchanged', async (length) => {
  const lines = await written(length);
  for (const line of lines) {
    expect(line.length).toBeLessThan(4_096);
    expect(line).toMatch(/^__Host-app-session\.\d=.*Path=\/; HttpOnly; Secure; SameSite=Strict$/);
  }
  // Superfluous cookies are removed.
  expect(lines).toHaveLength(5);
  expect(await readLength(kept(lines))).toEqual(length === 0 ? {} : { length });
});

test('a missing piece makes the value undefined', async () => {
  const [first, ...others] = kept(await written(12_345));
  expect(await readLength(others)).toEqual({});
  expect(await readLength([String(first), ...others.slice(1)])).toEqual({});
});

test('ignores a piece of a previous value after the last one', async () => {
  const [, second] = kept(await written(5_000));
  const [first] = kept(await written(100));
  expect(await readLength([String(first), String(second)])).toEqual({ length: 100 });
});

test('rejects a value that is too long for cookies', async () => {
  expect((await fetch(`${url}/write/19001`)).status).toBe(500);
});

test('ignores cookies of another application, or of plain HTTP', async () => {
  expect(await readLength(['__Host-other-session.0=1~abc', 'app-session.0=1~abc'])).toEqual({});
});
