import { parentPort } from 'node:worker_threads';
import { READY } from '../../src/threads/job-thread.ts';

/** A thread that takes longer to start than a job may take. It answers each job with it. */

const START_MS = 2_500;

Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, START_MS);
parentPort?.on('message', (job) => parentPort?.postMessage(job));
parentPort?.postMessage(READY);
