import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { expect, test } from '@jest/globals';
import { eventually } from '@saleschannel/testing';
import { HealthImplementation } from 'grpc-health-check';
import { projectRoot } from '../../installation/test/support/programs.ts';

const check = (target: string): Promise<number | null> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [join(projectRoot, 'deploy/docker/health.ts'), target], { stdio: 'ignore' });
    child.once('exit', resolve);
  });

/** Repeats the check, which a busy machine may let time out once. */
const isHealthy = (target: string): Promise<boolean> =>
  eventually(async () => (await check(target)) === 0, `a healthy ${target}`);

test('asks a gRPC server whether it serves', async () => {
  const server = new Server();
  const state = new HealthImplementation({ '': 'NOT_SERVING' });
  state.addToServer(server);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  expect(await check(`grpc://127.0.0.1:${port}`)).toBe(1);
  state.setStatus('', 'SERVING');
  expect(await isHealthy(`grpc://127.0.0.1:${port}`)).toBe(true);
  server.forceShutdown();
  expect(await check(`grpc://127.0.0.1:${port}`)).toBe(1);
});

test('asks an HTTP server for a status below 400', async () => {
  let status = 503;
  const server = createServer((_request, response) => response.writeHead(status).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  expect(await check(`http://127.0.0.1:${port}/readyz`)).toBe(1);
  status = 200;
  expect(await isHealthy(`http://127.0.0.1:${port}/readyz`)).toBe(true);
  await new Promise((resolve) => server.close(resolve));
  expect(await check(`http://127.0.0.1:${port}/readyz`)).toBe(1);
});

test('is not healthy without a target', async () => {
  expect(await check('')).toBe(1);
});
