import { afterAll, beforeAll, test } from '@jest/globals';
import type { System } from '../../src/system.ts';
import { auditSystem, takeSharedSystem } from './system.ts';

const END_LIMIT_MS = 180_000;

let system: System;
beforeAll(async () => void (system = await takeSharedSystem()));
afterAll(() => system.stop(), END_LIMIT_MS);

test("the shared system of a worker's test files passes its audit", () => auditSystem(system), END_LIMIT_MS);
