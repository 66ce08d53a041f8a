import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { assertPortFree, findFreePort, isPortFree } from '../src/index.ts';

test('a free port is usable and never returned twice', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => findFreePort()));
  expect(new Set(ports).size).toBe(20);
  await expect(isPortFree(ports[0]!)).resolves.toBe(true);
});

test('a used port is refused with the name of its variable', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await expect(assertPortFree(port, 'GATEWAY_PORT')).rejects.toThrow(
      `Port ${port} of 127.0.0.1 (GATEWAY_PORT) is taken by another process. Set GATEWAY_PORT to a free port.`,
    );
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
  await expect(assertPortFree(port, 'GATEWAY_PORT')).resolves.toBeUndefined();
});
