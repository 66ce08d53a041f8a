import { describe, expect, test } from '@jest/globals';
import { operations, succeeded } from '../src/contract.ts';
import { accessJourneys } from './journeys/access.ts';
import { approvalJourneys } from './journeys/approvals.ts';
import { isolationJourneys } from './journeys/isolation.ts';
import { refusalJourneys } from './journeys/refusals.ts';
import { registryJourneys } from './journeys/registry.ts';
import { serviceJourneys } from './journeys/service.ts';
import { traderJourneys } from './journeys/traders.ts';
import { transferJourneys } from './journeys/transfers.ts';
import { useSystem } from './support/system.ts';

const system = useSystem();

describe('the service', () => serviceJourneys(system));
describe('access', () => accessJourneys(system));
describe('traders', () => traderJourneys(system));
describe('transfers', () => transferJourneys(system));
describe('a selection is refused', () => refusalJourneys(system));
describe('with a seller who wants to approve', () => approvalJourneys(system));
describe('the registry', () => registryJourneys(system));
describe('another channel', () => isolationJourneys(system));

test('every operation of the contract has been carried out', () => {
  expect(operations.map(({ id }) => id).filter((id) => !succeeded.has(id))).toEqual([]);
});
