import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findSuperLinear, recordRoutes, type HostileRequest, type RouteTable } from '@saleschannel/testing';
import express from 'express';
import { loadContract } from '../src/contract/document.ts';
import { operations, type PublicOperation } from './support/public-contract.ts';
import { buildRequest, startSystem, type System } from './support/system.ts';

/**
 * The cost of a request to any route grows at most with its length: operations, pages and files of the documentation.
 */

const LIMIT_MS = 600_000;
const CLOCK_RATE = 100;

let folder: string;
let table: RouteTable;
let system: System;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'saleschannel-docs-'));
  mkdirSync(join(folder, 'errors'));
  writeFileSync(join(folder, 'index.html'), '<html><title>first</title></html>');
  writeFileSync(join(folder, 'errors/index.html'), '<html><title>errors</title></html>');
  table = recordRoutes(express.Router.prototype);
  // Requests come through a proxy, which adds addresses. Limits recover at once, so none applies.
  const variables = {
    DOCS_FOLDER: folder,
    TRUSTED_PROXIES: 'loopback',
    FAILED_LOGINS_PER_MINUTE: '100000',
    FAILED_LOGINS_PER_KEY_ID_PER_MINUTE: '100000',
  };
  system = await startSystem(variables, { now: () => performance.now() * CLOCK_RATE });
});
afterAll(async () => {
  table.restore();
  await system.stop();
  rmSync(folder, { recursive: true });
});

const toRouteName = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;
const toPattern = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');

/**
 * Returns whether another route covers this one: pages, files, and exports, which have the parameters of their list.
 */
const isLikeOthers = (path: string): boolean =>
  path.endsWith('/export') ||
  (path.startsWith('/problems/') && path !== '/problems/forbidden') ||
  /^\/docs\/.+\.(?:css|js|png|json)$/.test(path);

/** Event streams never end. */
const endless = new Set<string>(
  loadContract()
    .operations.filter(({ isRead, method }) => !isRead && method === 'get')
    .map(({ path }) => toPattern(path)),
);

/** First lines of uploaded files. */
const exampleFiles = ({ requestBody }: PublicOperation['raw']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(requestBody?.content ?? {})
      .filter(([type]) => type !== 'application/json')
      .map(([type, { example }]) => [type, `${String(example).split('\n', 1).join('')}\n`]),
  );

/** Requests to the operations of the contract, by route. */
function operationTargets(): Map<string, HostileRequest> {
  const user = system.user({ accountHolderId: 'h1' }).authorization;
  const registry = system.registryKey().authorization;
  return new Map(
    operations.map((operation) => {
      const authorization = { public: undefined, registry }[String(operation.access['principal'])];
      const isPublic = operation.access['principal'] === 'public';
      const { headers = {} } = buildRequest(operation, {}, () => (isPublic ? undefined : (authorization ?? user)));
      const target = {
        method: operation.method,
        path: toPattern(operation.path),
        headers: headers as Record<string, string>,
        parameters: operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
        example: operation.mediaType === 'application/json' ? operation.example : undefined,
        files: exampleFiles(operation.raw),
      };
      return [toRouteName(target), target];
    }),
  );
}

test(
  'the cost of a request to the gateway grows at most with its size',
  async () => {
    const known = operationTargets();
    const { authorization } = system.user();
    const routes = table.routes().filter(({ path }) => !endless.has(path) && !isLikeOthers(path));
    const names = routes.map(toRouteName);
    for (const name of [
      'POST /saleschannel-services/v1/traders/{}/inventory/trade',
      'GET /docs/api',
      'GET /problems/forbidden',
    ])
      expect(names).toContain(name);
    const files = ['/docs/{}', '/docs/errors/{}'].map((path) => ({ method: 'GET', path }));
    const targets = [...routes, ...files].map(
      (route): HostileRequest => known.get(toRouteName(route)) ?? { ...route, headers: { authorization } },
    );
    expect(await findSuperLinear(`http://${system.address}`, targets)).toEqual([]);
  },
  LIMIT_MS,
);
