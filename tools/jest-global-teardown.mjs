// After the tests: stops what tools/jest-global-setup.mjs started, in the same process, and deletes their folders.
export default async function tearDown() {
  await globalThis.dropTestTemplates?.();
  await globalThis.stopTestBackends?.();
  globalThis.removeTestFolder?.();
  globalThis.restorePriority?.();
}
