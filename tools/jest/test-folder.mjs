// Keeps the files of tests in memory if there is room. Deleting an image's 6,500 files takes 3 s on disk, during which
// other users of the disk wait, and 0.1 s in memory.
import { spawnSync } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const NAME = 'saleschannel-tests-';
/** An image takes half a gigabyte, databases and queues less, and PostgreSQL's write-ahead log up to one. */
const ROOM_BYTES_AT_LEAST = 6 * 2 ** 30;
/** Available memory of the machine, most of which workers, browsers and servers need. */
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

/** Containers often mount it without permission to execute, which tests of images need. */
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

/** Frees the memory of runs that were killed. */
function removeLeft() {
  for (const name of readdirSync(MEMORY)) {
    const [, pid] = new RegExp(`^${NAME}(\\d+)-`).exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

/**
 * Makes a folder in memory the temporary folder of this process and its children. Respects TMPDIR.
 * @returns a function that removes it
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
  // Servers run as another user and must be able to enter.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return () => {
    delete process.env.TMPDIR;
    remove();
  };
}
