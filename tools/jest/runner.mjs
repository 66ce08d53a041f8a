// Jest runner with worker processes that load modules once. A file that crashes its worker or hangs fails alone.
// Between files, replaces a worker that exceeds `workerIdleMemoryLimit`.
import { fork } from 'node:child_process';
import { dirname, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CallbackTestRunner } from 'jest-runner';

const WORKER = fileURLToPath(new URL('./worker.mjs', import.meta.url));
/** A file in which no test starts or ends for this long is considered hung. */
const QUIET_LIMIT_MS = 900_000;

const failure = (message) => ({ error: { message, stack: '', type: 'Error' } });

class Worker {
  #child = fork(WORKER, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  #gone = new Promise((resolve) => this.#child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`)));
  #quietLimitMs;

  constructor(quietLimitMs) {
    this.#quietLimitMs = quietLimitMs;
  }

  /** Resolves with the report of the file, even if the process dies. */
  async run(job) {
    const { promise, resolve } = Promise.withResolvers();
    const limit = setTimeout(() => {
      resolve(failure(`The file hangs: no test started or ended for ${this.#quietLimitMs / 1000} s.`));
      this.#child.kill('SIGKILL');
    }, this.#quietLimitMs);
    const listen = (message) => (message.alive ? limit.refresh() : resolve(message));
    this.#child.on('message', listen);
    void this.#gone.then((how) => resolve(failure(`The worker ended with ${how} while it ran this file.`)));
    this.#child.send(job, (error) => error && resolve(failure(error.message)));
    const report = await promise;
    clearTimeout(limit);
    this.#child.off('message', listen);
    return report;
  }

  async end() {
    if (this.#child.connected) this.#child.disconnect();
    await this.#gone;
  }
}

export default class NativeRunner extends CallbackTestRunner {
  async runTests(tests, watcher, onStart, onResult, onFailure) {
    const { maxWorkers, workerIdleMemoryLimit = Infinity, rootDir } = this._globalConfig;
    const { quietLimitMs = QUIET_LIMIT_MS, first = [] } = this._options ?? {};
    const rank = ({ path, duration }) => {
      const at = duration === undefined ? first.findIndex((part) => path.includes(part)) : -1;
      return at === -1 ? first.length : at;
    };
    const queue = tests.toSorted((one, other) => rank(one) - rank(other));
    const projectOf = ({ path }) => relative(rootDir, dirname(path)).split(sep).slice(0, 2).join('/');
    /** Runs files, in one worker at a time, until the queue is empty. */
    const runWorker = async () => {
      let worker;
      let last;
      // Teardown files of the project whose servers the worker keeps.
      let endings = [];
      const runFile = async (test) => {
        worker ??= new Worker(quietLimitMs);
        await onStart(test);
        const { context, path } = test;
        const report = await worker.run({ path, config: context.config, globalConfig: this._globalConfig });
        await (report.error ? onFailure(test, report.error) : onResult(test, report.result));
        endings = report.endings ?? [];
        last = test;
        return report;
      };
      const endKept = async () => {
        for (const path of endings) await runFile({ path, context: last.context });
      };
      const replaceWorker = async () => {
        await endKept();
        await worker?.end();
        worker = undefined;
      };
      while (queue.length > 0 && !watcher.isInterrupted()) {
        const next = endings.length === 0 ? 0 : queue.findIndex((test) => projectOf(test) === projectOf(last));
        if (next === -1) {
          await endKept();
          continue;
        }
        const { error, result, rss } = await runFile(queue.splice(next, 1)[0]);
        // A failed file may leave its cause behind, such as a connection that fails every second.
        if (error || result.testExecError || result.numFailingTests > 0 || rss > workerIdleMemoryLimit)
          await replaceWorker();
      }
      await replaceWorker();
    };
    await Promise.all(Array.from({ length: Math.min(maxWorkers, tests.length) }, runWorker));
  }
}
