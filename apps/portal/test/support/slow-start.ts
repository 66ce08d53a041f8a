import { parentPort } from 'node:worker_threads';
import { READY } from '../../src/threads/job-thread.ts';

/** Worker thread that starts more slowly than the deadline of a job. It returns each job. */

const START_MS = 2_500;

Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, START_MS);
parentPort?.on('message', (job) => parentPort?.postMessage(job));
parentPort?.postMessage(READY);
