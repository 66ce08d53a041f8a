// Runs the test files that tools/jest/runner.mjs sends, one after the other.
import { registerHooks } from 'node:module';
import TestRunner from 'jest-runner';
import { endings } from '../../lab/testing/src/jest.ts';

const GLOBALS = new URL('./globals.mjs', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(specifier, context),
});

/** The parent process handles interruptions. */
const watcher = { isInterrupted: () => false };
const plain = ({ message, stack, code }) => ({ message, stack, code, type: 'Error' });

/** Replaces URLs by paths. */
const readable = (result, { rootDir }) => ({
  ...result,
  failureMessage: result.failureMessage?.replaceAll(`file:${rootDir}/`, '') ?? null,
});

async function run({ path, config, globalConfig }) {
  const runner = new TestRunner(globalConfig, {});
  let report;
  const tellAlive = () => void process.send({ alive: true });
  for (const event of ['test-case-start', 'test-case-result']) runner.on(event, tellAlive);
  runner.on('test-file-success', ([, result]) => void (report = { result: readable(result, config) }));
  runner.on('test-file-failure', ([, error]) => void (report = { error: plain(error) }));
  await runner.runTests([{ path, context: { config } }], watcher, { serial: true });
  return report;
}

process.on('message', async (message) => {
  endings.delete(message.path);
  const report = await run(message);
  process.send({ ...report, endings: [...endings], rss: process.memoryUsage.rss() });
});
process.on('disconnect', () => process.exit());
