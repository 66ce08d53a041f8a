import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startSystem, type System } from '../src/system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system?.stop());

test('a binding', async () => {
  const [channel] = system.channels;
  const user = channel.users[0]!;
  expect(await system.as(user).ok('GET', '/user-services/users/me/saleschannel-binding')).toMatchObject({ userId: user.userId });
  expect((await system.as('nobody').send('GET', '/user-services/users/me/saleschannel-binding')).status).toBe(401);
});
