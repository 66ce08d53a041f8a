import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { imageNames } from '@saleschannel/installation';
import { projectRoot } from '../../installation/test/support/programs.ts';
import { versionVariable } from '../container.ts';
import { compose, interpolate } from './support/compose.ts';
import { createCheckout, type Checkout } from './support/scripts.ts';

const REGISTRY = 'registry.example.org/saleschannel';
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;

let checkout: Checkout;
let folder: string;
beforeEach(() => {
  checkout = createCheckout('OIDC_ISSUER=x\nTASKS_VERSION=0.0.1\n');
  folder = mkdtempSync(join(tmpdir(), 'saleschannel-versions-'));
});
afterEach(() => {
  checkout.remove();
  rmSync(folder, { recursive: true });
});

/** versions.env as a release publishes it. */
function versionsFile(change: (lines: string[]) => string[] = (lines) => lines): string {
  const file = join(folder, 'versions.env');
  const lines = imageNames.map((name) => `${versionVariable(name)}=1.4.0@${DIGEST}`);
  writeFileSync(file, `# versions\n${change(lines).join('\n')}\n`);
  return file;
}

const versionIn = (app: string): string =>
  (JSON.parse(readFileSync(join(projectRoot, 'apps', app, 'package.json'), 'utf8')) as { version: string }).version;

const imagesWith = (settings: Record<string, string | undefined>): string[] =>
  Object.values(compose.services)
    .filter(({ build }) => build !== undefined)
    .map(({ image }) => interpolate(image, settings));

test('Compose pulls each image of a release, also admin, by digest from its registry', () => {
  expect(checkout.run('use-release.sh', REGISTRY, versionsFile())).toMatchObject({ status: 0, stderr: '' });
  const settings = parseEnv(checkout.settings());
  expect(settings).toMatchObject({ OIDC_ISSUER: 'x', IMAGE_PULL_POLICY: 'missing' });
  const images = imagesWith(settings);
  expect(images).toContain(`${REGISTRY}/admin:1.4.0@${DIGEST}`);
  for (const image of images) expect(image).toMatch(/^registry\.example\.org\/saleschannel\/[a-z-]+:1\.4\.0@sha256:/);
  expect(checkout.settings().match(/^TASKS_VERSION=/gm)).toHaveLength(1);
});

test('without a file it uses the versions of the checkout', () => {
  expect(checkout.run('use-release.sh', REGISTRY).status).toBe(0);
  expect(parseEnv(checkout.settings())['TASKS_VERSION']).toBe(versionIn('tasks'));
});

test.each([
  ['a name at Docker Hub', 'saleschannel', [], 'saleschannel must begin with a host, such as example.org.\n'],
  ['a path at Docker Hub', 'acme/saleschannel', [], 'acme/saleschannel must begin with a host, such as example.org.\n'],
  ['no registry', 'https://registry.example.org', [], 'https://registry.example.org must be a registry with a path.\n'],
])('%s is refused', (_, registry, more, stderr) => {
  expect(checkout.run('use-release.sh', registry, ...more)).toMatchObject({ status: 1, stderr });
  expect(checkout.settings()).toBe('OIDC_ISSUER=x\nTASKS_VERSION=0.0.1\n');
});

test.each([
  ['a program is missing', (lines: string[]) => lines.slice(1), 'each program of this checkout exactly once.'],
  ['a program occurs twice', (lines: string[]) => [...lines, ...lines.slice(0, 1)], 'must name each program'],
  [
    'a value is not a version',
    (lines: string[]) => [...lines, 'A_VERSION=latest'],
    '"A_VERSION=latest" is not a version.',
  ],
  ['a line sets something else', (lines: string[]) => [...lines, 'OIDC_ISSUER=1.0.0'], '"OIDC_ISSUER=1.0.0" is not a'],
])('a file in which %s is refused, and nothing is written', (_, change, fault) => {
  const { status, stderr } = checkout.run('use-release.sh', REGISTRY, versionsFile(change));
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(fault) });
  expect(checkout.settings()).toBe('OIDC_ISSUER=x\nTASKS_VERSION=0.0.1\n');
});

test('a release publishes versions with digests, which Compose accepts', () => {
  const file = join(folder, 'versions.env');
  const version = versionIn('registry-import');
  const published = checkout.run('digests.sh', REGISTRY);
  expect(published).toMatchObject({ status: 0, stderr: '' });
  expect(checkout.calls()).toContain(
    `buildx imagetools inspect ${REGISTRY}/registry-import:${version} --format {{.Manifest.Digest}}`,
  );
  writeFileSync(file, published.stdout);
  expect(checkout.run('use-release.sh', REGISTRY, file)).toMatchObject({ status: 0, stderr: '' });
  expect(imagesWith(parseEnv(checkout.settings()))).toContain(`${REGISTRY}/registry-import:${version}@${DIGEST}`);
});

test('a missing image prevents publishing versions', () => {
  checkout.fail('webhooks');
  expect(checkout.run('digests.sh', REGISTRY).status).not.toBe(0);
});
