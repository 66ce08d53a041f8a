import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { completeSecrets } from '@saleschannel/installation';
import { copyForStandby, createTemporaryFolder, removeFolder, startPostgres } from '@saleschannel/local-backends';
import { auditRestored, checkAftermath, reconcile } from './aftermath.ts';
import { inSession } from './archive.ts';
import { createStackDemo, startInstallation } from './installation.ts';
import { findLanes, startTraffic } from './traffic.ts';

/** Result of a failover of the database to a synchronous standby. */
export interface FailoverOutcome {
  readonly acknowledged: number;
  /** 503 responses, after which the client retried the same request. */
  readonly throttled: number;
  /** Other error responses and broken connections. */
  readonly failed: number;
  /** Time from the kill until the standby accepted statements. */
  readonly promotionSeconds: number;
  /** Time from the kill until the next acknowledged trade. */
  readonly outageSeconds: number;
  readonly auditedChecks: number;
}

const silent = (): void => undefined;

/**
 * Kills the primary under load and promotes its synchronous standby at once. A real installation also needs time to
 * detect that the primary is dead.
 * @throws Error if an acknowledged trade is lost, or the audit has findings
 */
export async function failover(count: number, say: (line: string) => void): Promise<FailoverOutcome> {
  const folder = await createTemporaryFolder();
  const [primaryDirectory, dataDirectory] = [join(folder, 'primary'), join(folder, 'standby')];
  const undo: (() => Promise<void>)[] = [];
  try {
    const primary = await startPostgres({ dataDirectory: primaryDirectory, log: silent });
    undo.push(() => primary.stop());
    await copyForStandby({ primaryUrl: primary.url, primaryDirectory, dataDirectory });
    const standby = await startPostgres({ dataDirectory, log: silent });
    undo.push(() => standby.stop());
    // From now on a commit waits for the standby.
    await execute(primary.url, `alter system set synchronous_standby_names = '*'`, 'select pg_reload_conf()');
    const relay = await startRelay(primary.port);
    undo.push(() => relay.stop());
    const url = Object.assign(new URL(primary.url), { port: String(relay.port) }).href;
    const system = join(folder, 'system');
    const secrets = JSON.stringify(await completeSecrets({}));
    const installation = await startInstallation(system, secrets, { ...primary, url });
    undo.push(() => installation.stop());
    const { stack } = installation;
    const lanes = await findLanes(await createStackDemo(installation));
    const traffic = startTraffic(stack.baseUrl, lanes, { sendsAgain: true });
    await traffic.waitForAcknowledged(Math.ceil(count / 2));
    say('primary killed, promoting its standby');
    const killedAt = Date.now();
    await primary.kill();
    await execute(standby.url, 'select pg_promote(true, 60)');
    const promotedAt = Date.now();
    relay.redirect(standby.port);
    await traffic.waitForAcknowledged(traffic.trades.length + 1);
    const back = Math.min(...traffic.trades.flatMap(({ acknowledged }) => later(acknowledged?.at, promotedAt)));
    await traffic.waitForAcknowledged(count);
    await traffic.end();
    await reconcile(stack);
    const memory = { trades: traffic.trades, logs: new Map<string, never>() };
    await checkAftermath(stack, memory, new Date());
    return {
      acknowledged: traffic.trades.length,
      throttled: traffic.refusals.filter((status) => status === 503).length,
      failed: traffic.refusals.filter((status) => status !== 503).length,
      promotionSeconds: (promotedAt - killedAt) / 1_000,
      outageSeconds: (back - killedAt) / 1_000,
      auditedChecks: await auditRestored(stack),
    };
  } finally {
    for (const each of undo.toReversed()) await each();
    removeFolder(folder);
  }
}

const later = (time: number | undefined, than: number): number[] => (time !== undefined && time > than ? [time] : []);

const execute = (url: string, ...statements: readonly string[]): Promise<void> =>
  inSession(url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });

const HOST = '127.0.0.1';

/** Stable address of the current primary, as an operator or a provider offers. */
interface Relay {
  readonly port: number;
  /** Sends new connections to the port and breaks existing ones. */
  redirect(port: number): void;
  stop(): Promise<void>;
}

async function startRelay(port: number): Promise<Relay> {
  let target = port;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    return socket.on('error', () => socket.destroy());
  };
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = keep(connect({ host: HOST, port: target, noDelay: true }));
    keep(client).once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    redirect(next) {
      target = next;
      breakAll();
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      breakAll();
      await closed;
    },
  };
}
