// Stops the servers of tools/jest/global-setup.mjs and deletes their folders.
export default async function tearDown() {
  await globalThis.stopTestBackends?.();
  await globalThis.dropTestTemplates?.();
  globalThis.removeTestFolder?.();
}
