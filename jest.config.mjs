/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/tools/jest-strip-types.cjs' },
  testMatch: ['<rootDir>/{apps,libs}/*/{src,test}/**/*.test.ts', '<rootDir>/{deploy,tools}/*/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/.local/'],
  globalSetup: '<rootDir>/tools/jest-global-setup.mjs',
  globalTeardown: '<rootDir>/tools/jest-global-teardown.mjs',
  testSequencer: '<rootDir>/tools/jest-sequencer.cjs',
  reporters: ['default', '<rootDir>/tools/jest-plain-reporter.cjs'],
  coverageProvider: 'v8',
  collectCoverageFrom: ['{apps,libs}/*/src/**/*.ts', '!**/gen/**'],
  // One more than CI has cores: much of a test is waiting for servers.
  maxWorkers: 3,
  // Each test file leaves some of its modules behind. At gigabytes the garbage collector stops a worker for seconds.
  workerIdleMemoryLimit: '750MB',
  testTimeout: 120_000,
  // Libraries' warnings on the console are not the tests' result.
  silent: true,
  watchman: false,
};
