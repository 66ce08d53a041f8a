import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { findFreePort } from '@saleschannel/local-backends';
import { Webhook } from 'standardwebhooks';
import { useSystem } from './support/system.ts';
import { issue, operator } from './support/api.ts';

const system = useSystem();
const program = fileURLToPath(import.meta.resolve('@saleschannel/sdk/examples/quickstart.ts'));
const secret = `whsec_${Buffer.from('a secret of the quickstart').toString('base64')}`;

test('the quickstart trades, retires, reads its event and accepts a webhook in fewer than 60 lines', async () => {
  expect(readFileSync(program, 'utf8').trimEnd().split('\n').length).toBeLessThan(60);
  const [channel] = system().channels;
  await issue(system(), channel);
  const { id, secret: passphrase } = operator(channel).apiKey;
  const port = String(await findFreePort());
  const running = spawn(process.execPath, [program], {
    env: { BASE_URL: system().baseUrl, API_KEY_ID: id, PASSPHRASE: passphrase, WEBHOOK_SECRET: secret, PORT: port },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const printed: string[] = [];
    const lines = createInterface(running.stdout)[Symbol.asyncIterator]();
    const next = async (): Promise<string> => {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`The quickstart ended after ${printed.join(', ')}.`);
      printed.push(value);
      return value;
    };
    expect(await next()).toMatch(/^traded \w+$/);
    expect(await next()).toMatch(/^retired \w+$/);
    // The event of the retirement may be logged after the program has read the log.
    const line = await next();
    if (!line.startsWith('listening')) {
      expect(line).toMatch(/^seen SUCCESS /);
      await next();
    }
    const at = new Date();
    const body = JSON.stringify({ type: 'TEST', timestamp: at.toISOString(), data: { endpointId: 'w1' } });
    const send = async (signature: string): Promise<number> => {
      const time = String(Math.floor(at.getTime() / 1_000));
      const headers = { 'webhook-id': 'm1', 'webhook-timestamp': time, 'webhook-signature': signature };
      return (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers })).status;
    };
    expect(await send(new Webhook(secret).sign('m2', at, body))).toBe(400);
    expect(await send(new Webhook(secret).sign('m1', at, body))).toBe(204);
    expect(await next()).toBe('received m1 TEST');
  } finally {
    running.kill();
    await once(running, 'exit');
  }
});
