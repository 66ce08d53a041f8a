// Where tests put their files: in memory, where there is room. A disk takes seconds to delete the thousands of files of
// an image (6,500 files: three seconds, in memory a tenth of one), and whoever else uses it waits. Nothing of a run has
// to outlive it.
import { spawnSync } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const NAME = 'saleschannel-tests-';
/** Images take half a gigabyte at a time, databases and queues less; old log of PostgreSQL takes a gigabyte at most. */
const ROOM_BYTES_AT_LEAST = 6 * 2 ** 30;
/** Workers, browsers and servers need most of it. */
const MEMORY_BYTES_AT_LEAST = 12 * 2 ** 30;

function hasRoom() {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM_BYTES_AT_LEAST && process.availableMemory() >= MEMORY_BYTES_AT_LEAST;
  } catch {
    return false;
  }
}

/** Containers often have it so that nothing there can be run, and images are run in tests. */
function canRun(folder) {
  const program = join(folder, 'probe');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** What a run left that was killed would take memory for good. */
function removeLeft() {
  for (const name of readdirSync(MEMORY)) {
    const [, pid] = new RegExp(`^${NAME}(\\d+)-`).exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

/**
 * Makes a folder in memory that of temporary files, for this process and those that it starts. Whoever has set TMPDIR
 * has decided otherwise.
 * @returns how to remove it, after all who use it
 */
export function useFolderInMemory() {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return () => undefined;
  removeLeft();
  const folder = mkdtempSync(join(MEMORY, `${NAME}${process.pid}-`));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  if (!canRun(folder)) {
    remove();
    return () => undefined;
  }
  // Servers run as a user of their own, who has to get through.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return () => {
    delete process.env.TMPDIR;
    remove();
  };
}
