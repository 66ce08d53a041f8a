// `@jest/globals` for modules that stay loaded. The bindings change with each test file.
import { jestExpect } from '@jest/expect';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

export let test, it, describe, beforeAll, beforeEach, afterEach, afterAll;
let environment;

/** Called by tools/jest/runtime.cjs before it imports a test file. */
export function use(globals, current) {
  ({ test, it, describe, beforeAll, beforeEach, afterEach, afterAll } = globals);
  environment = current;
}

/** Forwards the public methods of a part of the environment. */
const forward = (part, { prototype }) =>
  Object.fromEntries(
    Object.getOwnPropertyNames(prototype)
      .filter((name) => !/^(_.*|constructor|dispose|configure)$/.test(name))
      .map((name) => [name, (...args) => environment[part][name](...args)]),
  );

export const jest = {
  ...forward('moduleMocker', ModuleMocker),
  ...forward('fakeTimersModern', ModernFakeTimers),
  setTimeout: (ms) => void (globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')] = ms),
};
export { jestExpect as expect };
