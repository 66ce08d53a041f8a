// After the tests: stops what tools/jest-global-setup.mjs started, in the same process, and deletes its folder.
export default async function tearDown() {
  await globalThis.stopTestBackends?.();
}
