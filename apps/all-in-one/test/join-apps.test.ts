import { expect, test } from '@jest/globals';
import type { App } from '@saleschannel/runtime';
import { joinApps, type HostedApp } from '../src/join-apps.ts';

const log: string[] = [];

function hosted(name: string, { isEdge = false, ...own }: Partial<HostedApp> & Partial<App> = {}): HostedApp {
  const run = async (action: string): Promise<void> => {
    log.push(`${name} ${action}s`);
    await new Promise(setImmediate);
    log.push(`${name} has ${action === 'stop' ? 'stopped' : 'started'}`);
  };
  return { isEdge, app: { address: name, start: () => run('start'), stop: () => run('stop'), ...own } };
}

test('all start concurrently, edges stop first and together, and others in reverse order', async () => {
  log.length = 0;
  const app = joinApps([
    hosted('identity'),
    hosted('tasks'),
    hosted('gateway', { isEdge: true }),
    hosted('portal', { isEdge: true }),
  ]);
  await app.start();
  expect(log.slice(0, 4)).toEqual(['identity starts', 'tasks starts', 'gateway starts', 'portal starts']);
  expect(app.address).toBe('gateway, portal, tasks, identity');
  log.length = 0;
  await app.stop();
  expect(log).toEqual([
    'gateway stops',
    'portal stops',
    'gateway has stopped',
    'portal has stopped',
    'tasks stops',
    'tasks has stopped',
    'identity stops',
    'identity has stopped',
  ]);
});

test('a failed start stops all services, and a failed stop does not affect others', async () => {
  log.length = 0;
  const fails = () => Promise.reject(new Error('its port is taken'));
  const app = joinApps([hosted('identity'), hosted('rbac', { start: fails, stop: fails }), hosted('tasks')]);
  await expect(app.start()).rejects.toThrow('its port is taken');
  expect(log.slice(-4)).toEqual(['tasks stops', 'tasks has stopped', 'identity stops', 'identity has stopped']);
  await expect(app.stop()).rejects.toThrow('Some services did not stop cleanly');
});

test('it is healthy while all services are', () => {
  expect(joinApps([hosted('identity'), hosted('tasks', { isHealthy: true })]).isHealthy).toBe(true);
  expect(joinApps([hosted('identity'), hosted('tasks', { isHealthy: false })]).isHealthy).toBe(false);
});
