import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ListedTask, PositionedEvent, Task, Transaction } from '@saleschannel/sdk';
import { Scs, signInAt } from './support/scs.ts';
import { useSystem } from './support/system.ts';
import {
  buyer,
  listBundles,
  issue,
  withIdempotencyKey,
  operator,
  retirementBody,
  inventoryPath,
  seller,
} from './support/api.ts';

const system = useSystem();
const scs = new Scs();
beforeAll(async () => {
  const { id, secret } = operator(system().channels[0]).apiKey;
  const { code, errors } = await scs.run(['login', '--base-url', system().baseUrl, '--api-key'], `${id}\n${secret}\n`);
  expect({ code, errors }).toMatchObject({ code: 0, errors: expect.stringContaining('Signed in as') });
});
afterAll(() => scs.leave());

const config = (): string => join(scs.home, 'scs/config.json');
const traderId = (): string => seller(system().channels[0]).id;
const retirement = [
  '--beneficiary=Nordlys Ferries AS',
  '--location=Bergen, Norway',
  '--country=NO',
  '--from=2024-01-01',
  '--to=2024-12-31',
  '--purpose=Residual emissions of 2024',
];

test('only the owner can read the stored configuration', () => {
  expect(statSync(config()).mode & 0o777).toBe(0o600);
  expect(statSync(join(scs.home, 'scs')).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(scs.home, 'scs'))).toEqual(['config.json']);
});

test('a person signs in by the browser, stays signed in, and signs out', async () => {
  const [{ salesChannelId }] = system().channels;
  const issuer = system().demo.tokenEndpoint.replace(/\/token$/, '');
  const subject = { issuer, subject: 'carla' };
  await system().administration.assignRoles({ ...subject, salesChannelId, roles: ['TRADER_VIEWER'] });
  const words = ['--profile', 'carla', 'login', '--base-url', system().baseUrl, '--issuer', issuer, '--no-browser'];
  const running = scs.start(...words);
  const said = createInterface(running.stderr)[Symbol.asyncIterator]();
  const { value: first } = (await said.next()) as { value: string };
  const address = new URL(first.replace('Sign in here: ', ''));
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    client_id: 'cli',
    code_challenge_method: 'S256',
    redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
  });
  expect(await signInAt(address.href, 'carla')).toContain('You can close this page');
  expect(((await said.next()) as { value: string }).value).toContain('Signed in as carla');
  expect(await once(running, 'exit')).toEqual([0, null]);

  const [me] = await scs.records<{ name: string; roles: string }>('--profile', 'carla', 'whoami');
  expect(me).toMatchObject({ name: 'carla', roles: 'TRADER_VIEWER' });
  const kept = (): { profiles: Record<string, { credentials: Record<string, unknown> }> } =>
    JSON.parse(readFileSync(config(), 'utf8')) as ReturnType<typeof kept>;
  const tokens = kept().profiles['carla']?.credentials;
  expect(tokens).toMatchObject({ kind: 'tokens', refreshToken: expect.any(String) });
  // An expired token and a rejected token are both replaced.
  for (const change of [{ expiresAtMs: 1 }, { accessToken: 'of-yesterday' }]) {
    const { profiles } = kept();
    const carla = { ...profiles['carla'], credentials: { ...profiles['carla']?.credentials, ...change } };
    writeFileSync(config(), JSON.stringify({ profiles: { ...profiles, carla } }));
    expect(await scs.records('--profile', 'carla', 'whoami')).toEqual([me]);
    expect(kept().profiles['carla']?.credentials).not.toMatchObject(change);
  }
  const refused = await scs.run(['--profile', 'carla', 'events']);
  expect(refused).toMatchObject({ code: 1, output: '' });
  expect(refused.errors).toMatch(/request id: [\w-]+/);

  expect((await scs.run(['--profile', 'carla', 'logout'])).code).toBe(0);
  expect(await scs.run(['--profile', 'carla', 'whoami'])).toMatchObject({ code: 2 });
});

test('a forged redirect does not complete a sign-in', async () => {
  const issuer = system().demo.tokenEndpoint.replace(/\/token$/, '');
  const running = scs.start(
    '--profile',
    'x',
    'login',
    '--base-url',
    system().baseUrl,
    '--issuer',
    issuer,
    '--no-browser',
  );
  const said = createInterface(running.stderr)[Symbol.asyncIterator]();
  const { value: first } = (await said.next()) as { value: string };
  const back = new URL(new URL(first.replace('Sign in here: ', '')).searchParams.get('redirect_uri') ?? '-');
  back.search = '?code=stolen&state=guessed';
  await fetch(back);
  expect(await once(running, 'exit')).toEqual([1, null]);
});

test('a trade is planned, made with the given key, and listed', async () => {
  const [channel] = system().channels;
  const { range, at } = await issue(system(), channel);
  const trade = ['trade', traderId(), '--to', buyer(channel).id, '--price', '149.500001', '--currency', 'EUR'];
  const select = ['--select', `${range(1, 40).start}..${range(1, 40).end}`];
  const unconfirmed = await scs.run([...trade, ...select]);
  expect(unconfirmed).toMatchObject({ code: 2, output: '', errors: expect.stringContaining('--yes') });
  const [task] = await scs.records<Task>(...trade, ...select, '--yes', '--key', 'cli-trade-1');
  expect(task).toMatchObject({ status: 'SUCCESS', idempotencyKey: 'cli-trade-1' });
  // A request repeated after a lost answer needs no plan, and returns the same task.
  expect(await scs.records<Task>(...trade, ...select, '--yes', '--key', 'cli-trade-1')).toEqual([task]);
  const id = task?.responsePayload.id ?? 'none';
  const [detail] = await scs.records<Transaction>('transactions', id);
  expect(detail).toMatchObject({
    id,
    status: 'SUCCESS',
    assets: [{ start: at(1), end: at(40), unitPrice: 149.500001 }],
  });
  expect((await scs.records<Transaction>('transactions', '--type', 'TRADE')).map((each) => each.id)).toContain(id);
  expect((await scs.records<ListedTask>('tasks')).map(({ taskId }) => taskId)).toContain(task?.taskId);
  expect(await scs.records<Task>('tasks', task?.taskId ?? 'none', '--wait')).toEqual([task]);
  const refused = await scs.run([...trade, '--select', at(7), '--yes']);
  expect(refused).toMatchObject({ code: 1, output: '', errors: expect.stringContaining('bundle-start') });
});

test('the oldest certificates are retired, as planned', async () => {
  const [channel] = system().channels;
  const client = system().createClient(operator(channel));
  const old = await issue(system(), channel, { issuingDate: '2001-01-01T00:00:00.000Z', vintage: 2001 });
  const [planned] = await scs.records<{ start: string; end: string }>('plan', traderId(), '--from-oldest', '70');
  expect(planned).toMatchObject(old.range(1, 70));
  const retire = ['retire', traderId(), ...retirement, '--from-oldest', '70', '--vintage', '2001', '--yes'];
  const { code, output, errors } = await scs.run(['--json', ...retire]);
  expect(code).toBe(0);
  expect(errors).toContain(`${old.at(1)} to ${old.at(70)}: 70, 30 remain`);
  expect(JSON.parse(output)).toMatchObject({ status: 'SUCCESS' });
  const left = await listBundles(client, traderId(), old.issuanceId);
  expect(left).toEqual([{ ...old.range(71, 100), volume: 30 }]);
  const tooMuch = await scs.run(retire);
  expect(tooMuch).toMatchObject({ code: 1, output: '' });
});

test('offramps, lists, summaries', async () => {
  const [channel] = system().channels;
  const { at } = await issue(system(), channel);
  const [task] = await scs.records<Task>('offramp', traderId(), '--select', `${at(1)}..${at(5)}`, '--yes', '--no-wait');
  expect((await scs.records<Task>('tasks', task?.taskId ?? 'none', '--wait'))[0]).toMatchObject({ status: 'SUCCESS' });
  expect((await scs.records<{ id: string }>('traders')).map(({ id }) => id)).toContain(traderId());
  const bundles = await scs.records<{ start: string; volume: number }>('inventory', traderId());
  expect(bundles).toContainEqual(expect.objectContaining({ start: at(6), volume: 95 }));
  const [summary] = await scs.records<{ volume: number }>('inventory', traderId(), '--summary');
  expect(summary?.volume).toBe(bundles.reduce((sum, { volume }) => sum + volume, 0));
  const { output } = await scs.run(['inventory', traderId(), '--json']);
  expect(JSON.parse(output)).toEqual(bundles);
});

test('events are followed from a position until interrupted', async () => {
  const [channel] = system().channels;
  const client = system().createClient(operator(channel));
  const before = await scs.records<PositionedEvent & { id: string }>('events');
  const from = before.at(-1)?.position ?? 'none';
  const running = scs.start('events', '--follow', '--from', from, '--poll', '0.05');
  const lines = createInterface(running.stdout)[Symbol.asyncIterator]();
  for (let made = 0; made < 3; made += 1) {
    const { at } = await issue(system(), channel);
    await client.ok('POST', inventoryPath(traderId(), 'retire'), {
      body: retirementBody([{ start: at(1), end: at(1) }]),
      headers: withIdempotencyKey(),
    });
    const { value } = (await lines.next()) as { value: string };
    expect(JSON.parse(value)).toMatchObject({ eventType: 'TRANSACTION_STATUS_CHANGE', payload: { status: 'SUCCESS' } });
  }
  running.kill('SIGINT');
  expect(await once(running, 'exit')).toEqual([130, null]);
});

test('a closed output pipe is not an error', async () => {
  const running = scs.start('events', '--follow', '--poll', '0.05');
  running.stdout.destroy();
  expect(await once(running, 'exit')).toEqual([0, null]);
});

test('a key is rotated, and the profile has the new one', async () => {
  const own = new Scs();
  try {
    const { apiKey } = await system().newUser(system().channels[0], ['TRADER_VIEWER']);
    await own.run(['login', '--base-url', system().baseUrl, '--api-key'], `${apiKey.id}\n${apiKey.secret}\n`);
    const [rotated] = await own.records<{ id: string; replaced: string }>('keys', 'rotate');
    expect(rotated?.replaced).toBe(apiKey.id);
    expect((await own.records<{ id: string }>('keys', 'list')).map(({ id }) => id)).toEqual([rotated?.id]);
    const [made] = await own.records<{ id: string; passphrase: string }>('keys', 'create');
    const [deleted] = await own.records<{ id: string }>('keys', 'delete', made?.id ?? 'none');
    expect(deleted?.id).toBe(made?.id);
    await expect(
      system().createClient({ username: apiKey.id, password: apiKey.secret }).ok('GET', '/account-portal/me'),
    ).rejects.toThrow('401');
  } finally {
    own.leave();
  }
});
