'use strict';
// Test environment without a vm context: tests run in the worker's own realm, where modules stay loaded. Restores
// globals after each file.
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

module.exports = class NativeEnvironment {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    const { console } = globalThis;
    const { exit, exitCode } = process;
    const variables = { ...process.env };
    const folder = process.cwd();
    this.restore = () => {
      Object.assign(globalThis, { console });
      Object.assign(process, { exit, exitCode });
      for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
      for (const [name, value] of Object.entries(variables)) if (process.env[name] !== value) process.env[name] = value;
      if (process.cwd() !== folder) process.chdir(folder);
    };
  }

  async setup() {}

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    this.restore();
  }

  exportConditions() {
    return ['node'];
  }

  getVmContext() {
    return null;
  }
};
