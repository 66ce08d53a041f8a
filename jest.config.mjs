/** `npm run test:more` runs only `*.more.test.ts`: long tests, of which `npm test` has short forms. */
const isMore = process.env.TESTS === 'more';

/** @type {import('jest').Config} */
export default {
  // Modules load once per worker (ADR 75).
  runner: [
    '<rootDir>/tools/jest/runner.mjs',
    // The longest tests, for a checkout without recorded durations.
    { first: ['/e2e/test/browser/', '/e2e/test/one-sided-faults', '/lab/e2e/', '/lab/drill/'] },
  ],
  runtime: '<rootDir>/tools/jest/runtime.cjs',
  testEnvironment: '<rootDir>/tools/jest/environment.cjs',
  // Node strips the types.
  transform: {},
  injectGlobals: false,
  // Node and undici use these.
  fakeTimers: { doNotFake: ['nextTick', 'queueMicrotask'] },
  testMatch: ['{apps,libs,clients,lab}/*/{src,test}', '{deploy,tools}/*/test'].map(
    (folder) => `<rootDir>/${folder}/**/*${isMore ? '.more' : ''}.test.ts`,
  ),
  testPathIgnorePatterns: ['/node_modules/', ...(isMore ? [] : ['\\.more\\.test\\.ts$'])],
  modulePathIgnorePatterns: ['<rootDir>/.local/'],
  globalSetup: '<rootDir>/tools/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/tools/jest/global-teardown.mjs',
  reporters: ['default', '<rootDir>/tools/jest/plain-reporter.cjs'],
  // Three more than CI has cores, because tests often wait for servers.
  maxWorkers: 5,
  // Resident memory at which a worker is replaced between two files.
  workerIdleMemoryLimit: '1500MB',
  testTimeout: 120_000,
  // Hides warnings of libraries.
  silent: true,
  watchman: false,
};
