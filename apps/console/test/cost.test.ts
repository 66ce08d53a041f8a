import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Sealer } from '@saleschannel/auth';
import { CookieJar, type OidcClient, type Sessions } from '@saleschannel/edge/pages';
import { SecurityLog } from '@saleschannel/edge';
import { silentLogger } from '@saleschannel/runtime';
import { findSuperLinear, recordRoutes, type HostileRequest, type RouteTable } from '@saleschannel/testing';
import express from 'express';
import type { Context, Operations } from '../src/http/operation.ts';
import { readOperationRoutes } from '../src/contract/operations.ts';
import { createOperations } from '../src/app.ts';
import { createRoutes } from '../src/http/routes.ts';
import { Operators } from '../src/http/pipeline.ts';

const ISSUER = 'https://id.example';
const OPERATIONS = '/operator/v1';
const ownPage = { 'sec-fetch-site': 'same-origin', 'x-portal': '1' };

/** Operations that validate their requests, and do nothing else. */
const createValidatingOperations = (): Operations =>
  Object.fromEntries(
    Object.entries(createOperations({ operatorClients: {} } as Context)).map(([id, operation]) => [
      id,
      { ...operation, handle: () => Promise.resolve({}) },
    ]),
  ) as unknown as Operations;

interface Documented {
  readonly operationId: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
}

const contract = new URL('../src/contract/gen/openapi.json', import.meta.url);
const { paths } = JSON.parse(readFileSync(contract, 'utf8')) as { paths: Record<string, Record<string, Documented>> };

/** Parts of an operation's requests that may be large, according to the contract. */
function largeParts(id: string): Pick<HostileRequest, 'parameters' | 'example'> {
  const operation = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .find(({ operationId }) => operationId === id);
  const inQuery = operation?.parameters?.filter((parameter) => parameter.in === 'query') ?? [];
  const example = operation?.requestBody?.content['application/json']?.example;
  return { parameters: inQuery.map(({ name }) => name), example };
}

let table: RouteTable;
let server: Server;
let url: string;
beforeAll(async () => {
  table = recordRoutes(express.Router.prototype);
  const session = { issuer: ISSUER, subject: 'olga', signedInAtMs: Date.now() };
  const sessions = {
    read: () => Promise.resolve({ session, lastActiveAtMs: Date.now() }),
    refreshIfNeeded: () => Promise.resolve(session),
    recordUse: () => Promise.resolve(),
    clearCookies: () => undefined,
  } as unknown as Sessions;
  const app = createRoutes({
    site: {
      application: 'console',
      publicUrl: new URL('http://127.0.0.1'),
      trustedProxies: [],
      isSandbox: false,
      hstsMaxAgeSeconds: 0,
      cookies: new CookieJar({ application: 'console', isSecure: false }),
      sealer: new Sealer([Buffer.alloc(32, 'a')]),
      oidc: {} as OidcClient,
      sessions,
      securityLog: new SecurityLog({ logger: silentLogger, now: () => 0 }),
      isDraining: () => false,
      closing: new AbortController().signal,
      now: Date.now,
      logger: silentLogger,
    },
    webFolder: '/nonexistent',
    operators: new Operators(ISSUER, ['olga']),
    operations: createValidatingOperations(),
    requiredSignIn: { maxAgeSeconds: 900, acrs: [] },
  });
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  table.restore();
  server.close();
});

test('the cost of a request to the console is linear in its size', async () => {
  const places = new Map(
    readOperationRoutes().map(({ id, method, path }) => [
      `${method.toUpperCase()} ${path.replaceAll(/:\w+/g, '{}')}`,
      id,
    ]),
  );
  const routes = table.routes();
  for (const name of [...places.keys(), 'POST /csp-reports', 'GET /sign-in'])
    expect(routes.map(({ method, path }) => `${method} ${path}`)).toContain(name);
  const targets = routes.map(({ method, path }) => {
    const id = places.get(`${method} ${path}`);
    return { method, path: id ? OPERATIONS + path : path, headers: ownPage, ...(id && largeParts(id)) };
  });
  const plain = await fetch(`${url}${OPERATIONS}/sales-channels`, { headers: ownPage });
  expect([plain.status, await plain.text()]).toEqual([200, '{}']);
  expect(await findSuperLinear(url, targets)).toEqual([]);
}, 600_000);
