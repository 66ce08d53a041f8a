import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTokenVerifier } from '@saleschannel/auth';
import { unavailable } from '@saleschannel/errors';
import { silentLogger } from '@saleschannel/runtime';
import { callAs, eventually, catchFailure, neighbour, publicKeys } from '@saleschannel/testing';
import { createGrpcServer, createHealthProbe, LIVENESS, type GrpcServer, type HealthProbe } from '../src/index.ts';
import { transports } from './support/servers.ts';

const TIMEOUT_MS = 60_000;
const lost = new Error('the connection is gone');

let isUsable: boolean;
let server: GrpcServer;
let readiness: HealthProbe;
let liveness: HealthProbe;

describe.each(transports)('%s', (_transport, hostOf) => {
  beforeEach(async () => {
    isUsable = false;
    server = createGrpcServer({
      host: hostOf(),
      port: 0,
      services: [neighbour('traders', ['gateway'], { GetTrader: () => Promise.reject(lost) })],
      tokens: createTokenVerifier(publicKeys, 'traders'),
      logger: silentLogger,
      foundation: {
        isUsable: () => Promise.resolve(isUsable),
        toDomainError: (error) => (error === lost ? unavailable(error) : error),
      },
      healthIntervalMs: 5,
    });
    await server.start();
    readiness = createHealthProbe(server.address);
    liveness = createHealthProbe(server.address, { checkName: LIVENESS });
  });
  afterEach(async () => {
    readiness.close();
    liveness.close();
    await server.stop();
  });

  test('a server is ready while its foundation is usable, and always alive', async () => {
    expect(await readiness.isServing(TIMEOUT_MS)).toBe(false);
    expect(await liveness.isServing(TIMEOUT_MS)).toBe(true);
    for (const each of [true, false, true]) {
      isUsable = each;
      await eventually(async () => (await readiness.isServing(TIMEOUT_MS)) === each, `serving: ${each}`);
      expect(await liveness.isServing(TIMEOUT_MS)).toBe(true);
    }
  });

  test('a transient error arrives as unavailable', async () => {
    const client = await callAs('gateway', 'traders', server.address);
    expect(await catchFailure(client.GetTrader({ traderId: 't' }))).toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: 2,
    });
    client.close();
  });
});
