import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operations, succeeded } from '../src/contract.ts';
import { startSystem, type System } from '../src/system.ts';
import { accessJourneys } from './journeys/access.ts';
import { isolationJourneys } from './journeys/isolation.ts';
import { registryJourneys } from './journeys/registry.ts';
import { serviceJourneys } from './journeys/service.ts';
import { traderJourneys } from './journeys/traders.ts';
import { transferJourneys } from './journeys/transfers.ts';

let running: System | undefined;
const system = (): System => {
  if (!running) throw new Error('the system has not started');
  return running;
};
beforeAll(async () => {
  running = await startSystem();
});
afterAll(() => running?.stop());

describe('the service', () => serviceJourneys(system));
describe('access', () => accessJourneys(system));
describe('traders', () => traderJourneys(system));
describe('transfers', () => transferJourneys(system));
describe('the registry', () => registryJourneys(system));
describe('another channel', () => isolationJourneys(system));

test('every operation of the contract has been carried out', () => {
  expect(operations.map(({ id }) => id).filter((id) => !succeeded.has(id))).toEqual([]);
});
