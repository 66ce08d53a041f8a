import { expect, test } from '@jest/globals';
import type { App } from '@saleschannel/runtime';
import { joinApps, type HostedApp } from '../src/joined.ts';

const happened: string[] = [];

function hosted(name: string, { isEdge = false, ...own }: Partial<HostedApp> & Partial<App> = {}): HostedApp {
  const say = async (what: string): Promise<void> => {
    happened.push(`${name} ${what}s`);
    await new Promise(setImmediate);
    happened.push(`${name} has ${what === 'stop' ? 'stopped' : 'started'}`);
  };
  return { isEdge, app: { address: name, start: () => say('start'), stop: () => say('stop'), ...own } };
}

test('all start at once, the edges stop first and together, and the others from the last to the first', async () => {
  happened.length = 0;
  const app = joinApps([
    hosted('identity'),
    hosted('tasks'),
    hosted('gateway', { isEdge: true }),
    hosted('portal', { isEdge: true }),
  ]);
  await app.start();
  expect(happened.slice(0, 4)).toEqual(['identity starts', 'tasks starts', 'gateway starts', 'portal starts']);
  expect(app.address).toBe('gateway, portal, tasks, identity');
  happened.length = 0;
  await app.stop();
  expect(happened).toEqual([
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

test('one that does not start stops all, and one that does not stop holds up nobody', async () => {
  happened.length = 0;
  const fails = () => Promise.reject(new Error('its port is taken'));
  const app = joinApps([hosted('identity'), hosted('rbac', { start: fails, stop: fails }), hosted('tasks')]);
  await expect(app.start()).rejects.toThrow('its port is taken');
  expect(happened.slice(-4)).toEqual(['tasks stops', 'tasks has stopped', 'identity stops', 'identity has stopped']);
  await expect(app.stop()).rejects.toThrow('not everything stopped cleanly');
});

test('it is well while each is', () => {
  expect(joinApps([hosted('identity'), hosted('tasks', { isWell: true })]).isWell).toBe(true);
  expect(joinApps([hosted('identity'), hosted('tasks', { isWell: false })]).isWell).toBe(false);
});
