import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { completeSecrets } from '@saleschannel/installation';
import { createTemporaryFolder, removeFolder, startPostgres, type RunningPostgres } from '@saleschannel/local-backends';
import { auditRestored, checkAftermath, type Aftermath, type KnownState } from './aftermath.ts';
import { openArchive, type ArchiveName } from './archive.ts';
import { createStackDemo, startInstallation, type Installation } from './installation.ts';
import { runRestoreScript, RestoredMachine, type SurvivingParts } from './restored-machine.ts';
import { createTradeClient, findLanes, readLog, startTraffic } from './traffic.ts';

export interface DrillOptions {
  /** Trades acknowledged before the disaster, half of them before the named point in time. */
  readonly trades: number;
  readonly archive: ArchiveName;
  readonly archiveTimeoutSeconds: number;
  readonly restores: readonly RestoreName[];
}

export const restoreNames = ['end of the archive', 'named point in time'] as const;
type RestoreName = (typeof restoreNames)[number];

/** Findings of one restore. Times are in seconds. */
export interface Outcome {
  readonly restore: RestoreName;
  readonly archive: string;
  /** Time between the last restored commit and the disaster. */
  readonly lostSeconds: number;
  readonly aftermath: Aftermath;
  readonly auditedChecks: number;
  readonly phases: Readonly<Record<string, number>>;
}

interface Remains extends SurvivingParts {
  readonly memory: KnownState;
  readonly point: Date;
  readonly disaster: Date;
}

const silent = (): void => undefined;
/** Time around the point in which no transaction commits. */
const GAP_MS = 50;

/**
 * Starts the system, backs it up under load, destroys everything except the archive and the secrets, and restores it on
 * new servers, from scratch for each restore.
 * @throws Error if a guarantee of the backup does not hold
 */
export async function drill(options: DrillOptions, say: (line: string) => void): Promise<Outcome[]> {
  const safe = await createTemporaryFolder();
  try {
    const remains = await runUntilDisaster(options, safe, say);
    const outcomes: Outcome[] = [];
    for (const restore of options.restores) {
      say(`restoring to the ${restore}`);
      outcomes.push(await restoreAndCheck(restore, remains));
    }
    return outcomes;
  } finally {
    removeFolder(safe);
  }
}

/** Runs the system until the disaster. `safe` is the folder that survives: archive and secrets. */
async function runUntilDisaster(options: DrillOptions, safe: string, say: (line: string) => void): Promise<Remains> {
  const { trades: count } = options;
  const secretsFile = join(safe, 'secrets.json');
  writeFileSync(secretsFile, JSON.stringify(await completeSecrets({})), { mode: 0o600 });
  const archive = openArchive(options.archive, safe, options.archiveTimeoutSeconds);
  const folder = await createTemporaryFolder();
  const dataDirectory = join(folder, 'postgres');
  try {
    const database = await startPostgres({ dataDirectory, log: silent, settings: archive.settings });
    const installation = await startOrStop(database, () =>
      startInstallation(folder, readFileSync(secretsFile, 'utf8'), database),
    );
    try {
      const { stack } = installation;
      const lanes = await findLanes(await createStackDemo(installation));
      const traffic = startTraffic(stack.baseUrl, lanes);
      say(`trading on ${lanes.length} lanes while the base backup is taken`);
      await traffic.waitForAcknowledged(Math.ceil(count / 4));
      await archive.begin(database, dataDirectory);
      await traffic.waitForAcknowledged(Math.ceil(count / 2));
      // Clocks have milliseconds, so no transaction may commit in this one.
      const point = new Date();
      await delay(GAP_MS);
      await traffic.waitForAcknowledged(traffic.trades.length + 1);
      // A server does not start if its archive ends before the requested point.
      await archive.waitUntilCaughtUp(database);
      await traffic.waitForAcknowledged(count);
      const logs: KnownState['logs'] = new Map(
        await Promise.all(
          [...new Map(lanes.map(({ channel }) => [channel.salesChannelId, channel])).values()].map(
            async (channel) =>
              [channel.salesChannelId, await readLog(createTradeClient(stack.baseUrl, channel))] as const,
          ),
        ),
      );
      const disaster = new Date();
      const ended = traffic.end();
      await Promise.all([installation.kill(), archive.kill()]);
      await ended;
      await installation.stop();
      say(`disaster: ${traffic.trades.length} trades sent, all processes killed and their folders deleted`);
      return {
        archive,
        secrets: readFileSync(secretsFile, 'utf8'),
        databasePassword: decodeURIComponent(new URL(database.url).password),
        memory: { trades: traffic.trades, logs },
        point,
        disaster,
      };
    } catch (error) {
      await installation.stop();
      await database.stop();
      await archive.kill();
      throw error;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startOrStop(database: RunningPostgres, start: () => Promise<Installation>): Promise<Installation> {
  try {
    return await start();
  } catch (error) {
    await database.stop();
    throw error;
  }
}

async function restoreAndCheck(restore: RestoreName, remains: Remains): Promise<Outcome> {
  const { point } = remains;
  const until = restore === 'named point in time' ? point : undefined;
  const folder = await createTemporaryFolder();
  const machine = new RestoredMachine(remains, folder);
  try {
    // While PostgreSQL reads its settings it knows no time zone abbreviation, not even Z.
    const moment = until ? [until.toISOString().replace('Z', '+00')] : [];
    await runRestoreScript(folder, machine, 'data', ...moment);
    await runRestoreScript(folder, machine, 'open');
    return await checkRestored(restore, remains, machine, until);
  } finally {
    await machine.end();
    removeFolder(folder);
  }
}

/** Queries the restored installation as its clients would. */
async function checkRestored(
  restore: RestoreName,
  { archive, point, disaster, memory }: Remains,
  { restored: { lastCommitAt }, installation: { stack }, phases }: RestoredMachine,
  until: Date | undefined,
): Promise<Outcome> {
  if (!lastCommitAt) throw new Error('The server replayed nothing of the archive.');
  // `runUntilDisaster` waited until the archive contained the point.
  if (!until && lastCommitAt < point)
    throw new Error(`The restored log ends at ${lastCommitAt.toISOString()}, before ${point.toISOString()}.`);
  const boundary = until ?? lastCommitAt;
  const aftermath = await checkAftermath(stack, memory, boundary, until);
  return {
    restore,
    archive: archive.describe,
    lostSeconds: (disaster.getTime() - boundary.getTime()) / 1_000,
    aftermath,
    auditedChecks: await auditRestored(stack),
    phases,
  };
}
