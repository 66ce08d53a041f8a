// After the tests: stops what tools/jest/global-setup.mjs started, in the same process, and deletes their folders.
export default async function tearDown() {
  await globalThis.stopTestBackends?.();
  await globalThis.dropTestTemplates?.();
  globalThis.removeTestFolder?.();
}
