/**
 * `npm test` runs all but `*.more.test.ts`, which `npm run test:more` runs: what takes long, and has a short form in
 * `npm test`.
 */
const isMore = process.env.TESTS === 'more';

/** @type {import('jest').Config} */
export default {
  // Modules load once per worker (ADR 75).
  runner: [
    '<rootDir>/tools/jest/runner.mjs',
    // The longest, for a checkout in which Jest remembers no durations: small files come last otherwise.
    { first: ['/e2e/test/browser/', '/e2e/test/one-sided-faults', '/lab/e2e/', '/lab/drill/'] },
  ],
  runtime: '<rootDir>/tools/jest/runtime.cjs',
  testEnvironment: '<rootDir>/tools/jest/environment.cjs',
  // Node strips the types.
  transform: {},
  injectGlobals: false,
  // Node's own modules and undici use these two.
  fakeTimers: { doNotFake: ['nextTick', 'queueMicrotask'] },
  testMatch: ['{apps,libs,clients,lab}/*/{src,test}', '{deploy,tools}/*/test'].map(
    (folder) => `<rootDir>/${folder}/**/*${isMore ? '.more' : ''}.test.ts`,
  ),
  testPathIgnorePatterns: ['/node_modules/', ...(isMore ? [] : ['\\.more\\.test\\.ts$'])],
  modulePathIgnorePatterns: ['<rootDir>/.local/'],
  globalSetup: '<rootDir>/tools/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/tools/jest/global-teardown.mjs',
  reporters: ['default', '<rootDir>/tools/jest/plain-reporter.cjs'],
  // Three more than CI has cores: much of a test is waiting for servers.
  maxWorkers: 5,
  // Resident memory at which a worker is replaced between two files.
  workerIdleMemoryLimit: '1500MB',
  testTimeout: 120_000,
  // Libraries' warnings on the console are not the tests' result.
  silent: true,
  watchman: false,
};
