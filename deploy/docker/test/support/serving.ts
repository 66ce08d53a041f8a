import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ADMIN, ALL_IN_ONE, hostedServices, parseSecrets } from '@saleschannel/installation';
import { migrate, openBroker, openDatabases, Running, supervise } from '@saleschannel/local';
import { findFreePort } from '@saleschannel/local-backends';
import {
  allInOneCompose,
  containerEnvironment,
  generateSecrets,
  readSecret,
} from '../../../compose/test/support/compose.ts';
import { projectRoot } from '../../../installation/test/support/programs.ts';
import type { Stage } from './dockerfile.ts';

const MIGRATION = `migrate-${ALL_IN_ONE}`;
const LIMIT_MS = 300_000;
const READY_LIMIT_MS = 120_000;

/** Starts servers with the roles and users of generated secrets, and puts the addresses into these secrets. */
async function startServers(folder: string, running: Running): Promise<void> {
  expect(generateSecrets(folder)).toMatchObject({ status: 0 });
  const secrets = parseSecrets(readSecret(folder, 'installation.json')) as Parameters<typeof openBroker>[1]['secrets'];
  const options = { folder, secrets, running, log: () => undefined };
  const { adminUrl } = await openDatabases(undefined, options);
  const broker = await openBroker(undefined, options);
  await broker.started;
  for (const file of globSync('.secrets/*-{database,amqp}-url', { cwd: folder })) {
    const url = readFileSync(join(folder, file), 'utf8');
    const at = url
      .replace('@postgres:5432', `@${new URL(adminUrl).host}`)
      .replace('@rabbitmq:5672', `@${new URL(broker.urlOf('identity')).host}`);
    writeFileSync(join(folder, file), at);
  }
}

/** Replaces listening addresses by loopback, and ports by free ones. */
async function movedHere(variables: Record<string, string>): Promise<Record<string, string>> {
  const moved: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    moved[name] = value;
    if (name.endsWith('_PORT') && value !== '') moved[name] = String(await findFreePort());
    if (name.endsWith('_HOST') && value === '0.0.0.0') moved[name] = '127.0.0.1';
  }
  return { ...moved, PORTAL_API_URL: `http://127.0.0.1:${moved['GATEWAY_PORT']}` };
}

/** Runs the image of all-in-one as Compose does, with its own PostgreSQL and RabbitMQ. */
export const testServing = (image: () => Stage): void =>
  test(
    'migrates and serves with the settings of docker-compose.all-in-one.yml, and the admin command reaches it',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'saleschannel-serving-'));
      const running = new Running(() => undefined);
      try {
        await startServers(folder, running);
        const { folder: root, variables: own } = image();
        const common = { name: ALL_IN_ONE, root, format: 'json', logFile: join(folder, 'log') } as const;
        await migrate({
          ...common,
          variables: { ...own, ...containerEnvironment(MIGRATION, folder, allInOneCompose) },
        });
        const variables = { ...own, ...(await movedHere(containerEnvironment(ALL_IN_ONE, folder, allInOneCompose))) };
        const args = ['--services', hostedServices.join()];
        const served = supervise({ ...common, args, variables, readyLimitMs: READY_LIMIT_MS });
        running.add(async () => void (await served.stop()));
        await served.start();

        const health = `grpc://127.0.0.1:${variables['GRPC_HEALTH_PORT']}`;
        const checked = spawnSync(process.execPath, ['deploy/docker/health.ts', health], { cwd: root });
        expect({ status: checked.status, stderr: String(checked.stderr) }).toEqual({ status: 0, stderr: '' });
        const gateway = `http://127.0.0.1:${variables['GATEWAY_PORT']}`;
        const portal = `http://127.0.0.1:${variables['PORTAL_PORT']}`;
        for (const url of [`${gateway}/readyz`, `${gateway}/docs/`, `${portal}/`])
          expect({ url, status: (await fetch(url)).status }).toEqual({ url, status: 200 });
        const metrics = await fetch(`http://127.0.0.1:${variables['METRICS_PORT']}/metrics`);
        const known = (await metrics.text()).split('\n').filter((line) => line.startsWith('target_info{'));
        expect(known).toEqual([expect.stringContaining(`service_name="${ALL_IN_ONE}"`)]);

        const addresses = Object.entries(containerEnvironment(ADMIN, folder, allInOneCompose)).map(([name, value]) => {
          const service = /^([A-Z_]+)_ADDRESS$/.exec(name)?.[1];
          return [name, service ? `127.0.0.1:${variables[`${service}__GRPC_PORT`]}` : value];
        });
        const command = [join(projectRoot, 'apps/admin/src/main.ts'), 'create-sales-channel', '--name', 'Market'];
        const admin = spawnSync(process.execPath, command, {
          encoding: 'utf8',
          env: Object.fromEntries(addresses) as Record<string, string>,
        });
        expect({ status: admin.status, stderr: admin.stderr }).toEqual({ status: 0, stderr: '' });
        expect(await served.stop()).toBe('exit code 0');
      } finally {
        await running.stop();
        rmSync(folder, { recursive: true, force: true });
      }
    },
    LIMIT_MS,
  );
