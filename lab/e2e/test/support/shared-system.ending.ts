import { afterAll, beforeAll, test } from '@jest/globals';
import type { System } from '../../src/system.ts';
import { auditSystem, takeSharedSystem } from './system.ts';

const END_LIMIT_MS = 180_000;

let system: System;
beforeAll(async () => void (system = await takeSharedSystem()));
afterAll(() => system.stop(), END_LIMIT_MS);

test('what the test files of a worker did to the system they share adds up', () => auditSystem(system), END_LIMIT_MS);
