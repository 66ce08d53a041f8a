'use strict';
// Runtime that imports test files natively, TypeScript included. A module loads once per worker. Only jest-circus loads
// again for each file, because it keeps its state in its module.
const { pathToFileURL } = require('node:url');
const { use } = require('./globals.mjs');

const HANDLERS = Symbol.for('EVENT_HANDLERS');
const SETTINGS = ['TEST_TIMEOUT_SYMBOL', 'RETRY_TIMES', 'WAIT_BEFORE_RETRY', 'RETRY_IMMEDIATELY'];

/** Test files that this worker imported. Importing one again needs a new URL. */
const imported = new Map();

function forgetLastFile() {
  delete globalThis[HANDLERS];
  for (const name of SETTINGS) delete globalThis[Symbol.for(name)];
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (symbol.description === 'JEST_STATE_SYMBOL') delete globalThis[symbol];
  }
}

module.exports = class NativeRuntime {
  constructor(_config, environment) {
    forgetLastFile();
    this.environment = environment;
  }

  requireInternalModule(path) {
    delete require.cache[path];
    module.children.length = 0;
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  setGlobalsForRuntime(globals) {
    use(globals, this.environment);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    const url = pathToFileURL(path);
    const times = imported.get(path) ?? 0;
    imported.set(path, times + 1);
    if (times > 0) url.searchParams.set('import', String(times));
    return await import(url.href);
  }

  enterTestCode() {}
  leaveTestCode() {}

  getSourceMaps() {
    return new Map();
  }

  getAllCoverageInfoCopy() {
    return {};
  }

  teardown() {
    forgetLastFile();
  }
};
