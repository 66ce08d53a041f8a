import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { projectRoot } from '../../installation/test/support/programs.ts';

const BUNDLE_LIMIT_MS = 120_000;
let folder = '';

const run = (script: string, ...args: string[]): { status: number | null; stdout: string; stderr: string } =>
  spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: 'utf8' });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'saleschannel-tools-'));
  const { status, stderr } = run(join(projectRoot, 'deploy/docker/bundle-tools.ts'), join(folder, 'tools'));
  if (status !== 0) throw new Error(stderr);
}, BUNDLE_LIMIT_MS);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

// The folder has no node_modules: bundles contain their dependencies.
test('secrets for Compose are generated without installed packages', () => {
  expect(run('tools/compose-secrets.mjs', '--folder', folder)).toMatchObject({ status: 0, stderr: '' });
  for (const file of [
    '.env',
    '.secrets/installation.json',
    '.secrets/identity-service-key',
    '.secrets/gateway-tls.crt',
  ])
    expect(existsSync(join(folder, file))).toBe(true);
});

test('secrets for Kubernetes are generated without installed packages', () => {
  const { status, stdout } = run(
    'tools/helm-secrets.mjs',
    '--database',
    'db.example:5432',
    '--broker',
    'mq.example:5671',
  );
  expect(status).toBe(0);
  expect(stdout).toContain('kind: Secret');
});
