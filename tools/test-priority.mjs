// What all tests share comes before the systems that some of them start. Linux shares out the cores among sessions
// first (sched(7), autogroup). A whole system has a dozen of them, one for each process, and Jest with all its workers
// has one, as RabbitMQ has: while systems start, the others can stand still for seconds and miss their deadlines.
// PostgreSQL gives each of its processes one.
import { readFileSync, writeFileSync } from 'node:fs';

const PREFERRED = '-10';

/**
 * Prefers the session of a process. It takes root; without it, and where Linux does not group, nothing is changed.
 * @returns how to undo it
 */
export function preferSessionOf(pid) {
  const file = `/proc/${pid}/autogroup`;
  try {
    const [, before] = /nice (-?\d+)/.exec(readFileSync(file, 'utf8')) ?? [];
    if (before === undefined) return () => undefined;
    writeFileSync(file, PREFERRED);
    return () => writeFileSync(file, before);
  } catch {
    return () => undefined;
  }
}
