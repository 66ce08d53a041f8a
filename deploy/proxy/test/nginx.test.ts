import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { httpPorts } from '@saleschannel/installation';
import { findFreePort } from '@saleschannel/local-backends';
import { createAuthority, issueCertificate } from '@saleschannel/auth/pki';
import { eventually } from '@saleschannel/testing';
import { isInstalled, projectRoot } from '../../installation/test/support/programs.ts';

const settings = readFileSync(join(projectRoot, 'deploy/proxy/nginx.conf'), 'utf8');
const start = readFileSync(join(projectRoot, 'deploy/proxy/start.sh'), 'utf8');
const API = 'api.example.org';
const PORTAL = 'portal.example.org';
/** Limit of the test's own client and servers. */
const maxHeaderSize = 65_536;
/** The largest session cookies (libs/edge/src/pages/cookies.ts). */
const COOKIES = Array.from({ length: 5 }, (_, index) => `session.${index}=${'x'.repeat(3_800)}`);

test('routes to the gateway and the portal, not to the console', () => {
  const targets = [...settings.matchAll(/set \$\w+ ([^;]+);/g)].map(([, target]) => target);
  expect(targets).toEqual((['gateway', 'portal'] as const).map((name) => `${name}:${httpPorts.get(name)}`));
  expect(settings).not.toContain(String(httpPorts.get('console')));
});

/** Upstream server: echoes the request in the cookies of a session, or sends events. */
function behind(name: string): Server {
  return createServer({ maxHeaderSize }, (message, response) => {
    if (message.url === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      // Stays open until the reader disconnects.
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

// Without nginx, only the ports above are compared.
if (isInstalled('nginx'))
  describe('in nginx', () => {
    const folder = mkdtempSync(join(tmpdir(), 'saleschannel-nginx-'));
    const servers = { api: behind('api'), portal: behind('portal') };
    let nginx: ChildProcess | undefined;
    let port = 0;
    let plainPort = 0;
    let authority = '';

    beforeAll(async () => {
      const issuer = await createAuthority('proxy test');
      authority = issuer.certificate;
      for (const [file, host] of Object.entries({ api: API, portal: PORTAL })) {
        const { certificate, privateKey } = await issueCertificate(issuer, { program: host });
        writeFileSync(join(folder, `${file}.crt`), certificate);
        writeFileSync(join(folder, `${file}.key`), privateKey);
      }
      port = await findFreePort();
      plainPort = await findFreePort();
      const places: [string, string][] = [
        ['listen 8443', `listen 127.0.0.1:${port}`],
        ['listen 8480', `listen 127.0.0.1:${plainPort}`],
        ['127.0.0.1:8481', `127.0.0.1:${await findFreePort()}`],
        ['/certificates/', `${folder}/`],
        ['/tmp/', `${folder}/`],
        // Docker's DNS does not exist here.
        ['gateway:8080', `127.0.0.1:${await listening(servers.api)}`],
        ['portal:8070', `127.0.0.1:${await listening(servers.portal)}`],
      ];
      const here = (text: string): string => places.reduce((each, [from, to]) => each.replaceAll(from, to), text);
      mkdirSync(join(folder, 'scripts'));
      writeFileSync(join(folder, 'scripts/nginx.conf'), here(settings));
      writeFileSync(join(folder, 'scripts/start.sh'), here(start));
      const env = { ...process.env, API_HOST: API, PORTAL_URL: `https://${PORTAL}` };
      nginx = spawn('sh', [join(folder, 'scripts/start.sh')], { stdio: 'ignore', env });
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

    test('reports the address of the client, even if the client claims another', async () => {
      const { headers } = await reached(await ask(PORTAL, '/', { 'x-forwarded-for': '198.51.100.7' }));
      expect(headers['x-forwarded-for']).toBe('127.0.0.1');
    });

    test('passes on events immediately', async () => {
      const answer = await ask(PORTAL, '/events');
      const [first] = (await once(answer, 'data')) as [Buffer];
      expect(first.toString()).toBe('data: first\n\n');
      answer.destroy();
    });

    test('responds only to the names of the sites', async () => {
      await expect(ask('other.example.org', '/')).rejects.toThrow(/unrecognized name|handshake/);
    });

    test('sends browsers from plain HTTP to HTTPS', async () => {
      const [answer] = (await once(
        get({ host: '127.0.0.1', port: plainPort, path: '/sign-in', headers: { host: PORTAL } }),
        'response',
      )) as [IncomingMessage];
      expect([answer.statusCode, answer.headers.location]).toEqual([308, `https://${PORTAL}/sign-in`]);
      answer.resume();
    });
  });
