import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { httpPorts } from '@saleschannel/installation';
import { freePort } from '@saleschannel/local-backends';
import { createAuthority, issueCertificate } from '@saleschannel/pki';
import { eventually } from '@saleschannel/testing';
import { isInstalled, projectRoot } from '../../installation/test/support/programs.ts';

const example = readFileSync(join(projectRoot, 'deploy/proxy/nginx.conf'), 'utf8');
const API = 'api.example.org';
const PORTAL = 'portal.example.org';
/** Of this test's own ends. */
const maxHeaderSize = 65_536;
/** As many and as long as cookies of a session may be (libs/bff/src/cookies.ts). */
const COOKIES = Array.from({ length: 5 }, (_, index) => `session.${index}=${'x'.repeat(3_800)}`);

test('leads to the gateway and to the portal, and not to the console', () => {
  const targets = [...example.matchAll(/proxy_pass (\S+);/g)].map(([, target]) => target);
  const portOf = (name: 'gateway' | 'portal'): string => `http://127.0.0.1:${httpPorts.get(name)}`;
  expect(targets).toEqual([portOf('gateway'), portOf('portal')]);
  expect(example).not.toContain(String(httpPorts.get('console')));
});

/** What stands behind: it says what has reached it, in as many cookies as a session has, or tells events. */
function behind(name: string): Server {
  return createServer({ maxHeaderSize }, (message, response) => {
    if (message.url === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      // It goes on: the rest comes when the reader has gone.
      response.write('data: first\n\n');
      return;
    }
    response.writeHead(200, { 'set-cookie': COOKIES });
    response.end(JSON.stringify({ name, headers: message.headers }));
  });
}

const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

// Where nginx is not installed, the file is still compared with the ports above.
if (isInstalled('nginx'))
  describe('in nginx', () => {
    const folder = mkdtempSync(join(tmpdir(), 'saleschannel-nginx-'));
    const servers = { api: behind('api'), portal: behind('portal') };
    let nginx: ChildProcess | undefined;
    let port = 0;
    let authority = '';

    beforeAll(async () => {
      const issuer = await createAuthority('proxy test');
      authority = issuer.certificate;
      for (const [file, host] of Object.entries({ api: API, portal: PORTAL })) {
        const { certificate, privateKey } = await issueCertificate(issuer, { program: host });
        writeFileSync(join(folder, `${file}.crt`), certificate);
        writeFileSync(join(folder, `${file}.key`), privateKey);
      }
      port = await freePort();
      const plainPort = await freePort();
      const there = example
        .replaceAll('listen 443', `listen 127.0.0.1:${port}`)
        .replaceAll('listen 80;', `listen 127.0.0.1:${plainPort};`)
        .replaceAll('/etc/ssl/saleschannel', folder)
        .replaceAll('127.0.0.1:8080', `127.0.0.1:${await listening(servers.api)}`)
        .replaceAll('127.0.0.1:8070', `127.0.0.1:${await listening(servers.portal)}`);
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const paths = temporary.map((name) => `${name}_temp_path ${join(folder, name)};`).join(' ');
      const main = `daemon off; pid ${join(folder, 'pid')}; error_log stderr; events {}`;
      const frame = `${main} http { access_log off; ${paths}`;
      writeFileSync(join(folder, 'nginx.conf'), `${frame}\n${there}}`);
      nginx = spawn('nginx', ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
      await eventually(() => ask(PORTAL, '/').then(Boolean, () => false), 'nginx that answers');
    });

    afterAll(async () => {
      if (nginx?.exitCode === null) {
        nginx.kill('SIGTERM');
        await once(nginx, 'exit');
      }
      for (const server of Object.values(servers)) {
        server.closeAllConnections();
        server.close();
      }
      rmSync(folder, { recursive: true });
    });

    const ask = (host: string, path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        const place = { host: '127.0.0.1', port, servername: host, path, ca: authority };
        request({ ...place, maxHeaderSize, headers: { host, ...headers } }, resolve)
          .once('error', reject)
          .end();
      });

    async function reached(message: IncomingMessage): Promise<{ name: string; headers: Record<string, string> }> {
      const chunks = await message.toArray();
      return JSON.parse(Buffer.concat(chunks as Buffer[]).toString()) as {
        name: string;
        headers: Record<string, string>;
      };
    }

    test.each([API, PORTAL])('%s passes on the cookies of a session, both ways', async (host) => {
      const cookie = COOKIES.join('; ');
      const answer = await ask(host, '/', { cookie });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['set-cookie']).toEqual(COOKIES);
      expect(await reached(answer)).toMatchObject({ name: host.split('.')[0], headers: { cookie, host } });
    });

    test('says where a request comes from, whatever its client says', async () => {
      const { headers } = await reached(await ask(PORTAL, '/', { 'x-forwarded-for': '198.51.100.7' }));
      expect(headers['x-forwarded-for']).toBe('127.0.0.1');
    });

    test('passes on events as they come', async () => {
      const answer = await ask(PORTAL, '/events');
      const [first] = (await once(answer, 'data')) as [Buffer];
      expect(first.toString()).toBe('data: first\n\n');
      answer.destroy();
    });
  });
