import { expect, test } from '@jest/globals';
import { operations } from '../src/contract.ts';
import { carriedOut } from './support/coverage.ts';

test('every operation of the contract is carried out by one of the journeys', () => {
  const carried: readonly string[] = Object.values(carriedOut).flat();
  expect(carried.toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
});
