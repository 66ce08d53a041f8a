import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { findSuperLinear, recordRoutes, type HostileRequest, type RouteTable } from '@saleschannel/testing';
import express from 'express';
import { fromOwnPage } from './support/browser.ts';
import { startPortal, type TestPortal } from './support/portal.ts';
import { Register } from './support/register.ts';

/** Tests the cost of requests to all registered routes. */

const LIMIT_MS = 600_000;
let portal: TestPortal;
let table: RouteTable;
beforeAll(async () => {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  table = recordRoutes(express.Router.prototype);
  // Trusts a proxy, so that its headers are parsed too.
  portal = await startPortal({ variables: { PORTAL_TRUSTED_PROXIES: 'loopback' } });
  (await Register.create()).answerFor(portal.upstream);
});
afterAll(async () => {
  table.restore();
  await portal.stop();
});

/** Files are excluded: they share one handler. */
const isFile = (path: string): boolean => path.startsWith('/public/');

test(
  'the cost of a request is linear in its size',
  async () => {
    const routes = table.routes().filter(({ path }) => !isFile(path));
    for (const known of ['/verify', '/r/{}.pdf', '/register', '/csp-reports', '/callback'])
      expect(routes.map(({ path }) => path)).toContain(known);
    const parameters = ['id', 'from', 'to', 'after'];
    const targets: HostileRequest[] = routes.map((route) => ({ ...route, parameters, headers: fromOwnPage }));
    // The API behind the portal, with the session of a signed-in person.
    const cookie = (await portal.signIn()).cookieFor(portal.url);
    const path = '/api/account-portal/{}';
    for (const method of ['GET', 'POST', 'PATCH'])
      targets.push({ method, path, parameters, headers: { ...fromOwnPage, cookie } });
    const passed = await fetch(`${portal.url}/api/account-portal/me`, { headers: { ...fromOwnPage, cookie } });
    expect(passed.status).toBe(404);
    expect(await findSuperLinear(portal.url, targets)).toEqual([]);
  },
  LIMIT_MS,
);
