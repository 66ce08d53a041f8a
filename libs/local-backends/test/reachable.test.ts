import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { removeFolder, serverUser } from '../src/index.ts';
import { reachableFolder } from '../src/reachable.ts';

/** Only root hands its servers to another user. Everybody else's servers reach what their owner reaches. */
const isRoot = process.getuid?.() === 0;

describe('the folder of a server', () => {
  let parent: string;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'reachable-'));
  });

  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  test('lies where it was wanted when its user can go there', async () => {
    const user = await serverUser();
    chmodSync(parent, 0o755);
    const wanted = join(parent, '.local', 'postgres');
    expect(reachableFolder(wanted, user)).toBe(wanted);
    expect(statSync(wanted).mode & 0o777).toBe(0o700);
    expect(reachableFolder(wanted, user)).toBe(wanted);
    removeFolder(wanted);
    expect(existsSync(wanted)).toBe(false);
  });

  if (isRoot) {
    test('lies below /var/tmp with a link to it when a folder above is closed, and goes with the link', async () => {
      const user = await serverUser();
      chmodSync(parent, 0o700);
      const wanted = join(parent, '.local', 'postgres');
      const real = reachableFolder(wanted, user);
      try {
        expect(real).toMatch(/^\/var\/tmp\/saleschannel-[0-9a-f]{16}$/);
        expect(readlinkSync(wanted)).toBe(real);
        expect(statSync(real)).toMatchObject({ uid: user.ids?.uid, gid: user.ids?.gid });
        expect(spawnSync('/bin/sh', ['-c', 'echo > "$1/file"', 'sh', real], { ...user.ids, cwd: '/' }).status).toBe(0);
        expect(reachableFolder(wanted, user)).toBe(real);

        removeFolder(wanted);
        expect([existsSync(wanted), existsSync(real)]).toEqual([false, false]);
        expect(reachableFolder(wanted, user)).toBe(real);
        rmSync(real, { recursive: true }); // as a cleaner of /var/tmp would
        expect(reachableFolder(wanted, user)).toBe(real);
      } finally {
        removeFolder(wanted);
      }
    });

    test('is refused when somebody else owns it', async () => {
      chmodSync(parent, 0o755);
      const wanted = join(parent, 'postgres');
      mkdirSync(wanted);
      await expect((async () => reachableFolder(wanted, await serverUser()))()).rejects.toThrow("does not belong to '");
    });
  }
});
