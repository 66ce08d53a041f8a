import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { removeFolder, findServerUser } from '../src/index.ts';
import { ensureReachableFolder } from '../src/reachable.ts';

/** Only root runs its servers as another user. For others, the servers reach the same folders as they do. */
const isRoot = process.getuid?.() === 0;

describe('the folder of a server', () => {
  let parent: string;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'reachable-'));
  });

  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  test('is the requested one if its user can reach it', async () => {
    const user = await findServerUser();
    chmodSync(parent, 0o755);
    const requested = join(parent, '.local', 'postgres');
    expect(ensureReachableFolder(requested, user)).toBe(requested);
    expect(statSync(requested).mode & 0o777).toBe(0o700);
    expect(ensureReachableFolder(requested, user)).toBe(requested);
    removeFolder(requested);
    expect(existsSync(requested)).toBe(false);
  });

  if (isRoot) {
    test('is below /var/tmp with a link to it if a parent is closed, and is deleted with the link', async () => {
      const user = await findServerUser();
      chmodSync(parent, 0o700);
      const requested = join(parent, '.local', 'postgres');
      const real = ensureReachableFolder(requested, user);
      try {
        expect(real).toMatch(/^\/var\/tmp\/saleschannel-[0-9a-f]{16}$/);
        expect(readlinkSync(requested)).toBe(real);
        expect(statSync(real)).toMatchObject({ uid: user.ids?.uid, gid: user.ids?.gid });
        expect(spawnSync('/bin/sh', ['-c', 'echo > "$1/file"', 'sh', real], { ...user.ids, cwd: '/' }).status).toBe(0);
        expect(ensureReachableFolder(requested, user)).toBe(real);

        removeFolder(requested);
        expect([existsSync(requested), existsSync(real)]).toEqual([false, false]);
        expect(ensureReachableFolder(requested, user)).toBe(real);
        rmSync(real, { recursive: true }); // like a cleanup of /var/tmp
        expect(ensureReachableFolder(requested, user)).toBe(real);
      } finally {
        removeFolder(requested);
      }
    });

    test('is refused if another user owns it', async () => {
      chmodSync(parent, 0o755);
      const requested = join(parent, 'postgres');
      mkdirSync(requested);
      await expect((async () => ensureReachableFolder(requested, await findServerUser()))()).rejects.toThrow(
        "does not belong to '",
      );
    });
  }
});
