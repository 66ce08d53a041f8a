import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  assertPortFree,
  BackendError,
  ensureRabbitMqInstalled,
  findRabbitMqServer,
} from '@saleschannel/local-backends';
import { env, EnvironmentError, readEnvironment, type Values } from '@saleschannel/runtime';
import type { Demo } from './demo-file.ts';

import { lockFolder } from './folder-lock.ts';
import { printLine } from './log.ts';
import { runMainJob } from './main-job.ts';
import { localFolder, projectRoot } from './files.ts';
import { StartAborted } from './running.ts';
import { writeCommandEnvironments } from './administration.ts';
import { prepareDemo } from './prepare-demo.ts';
import { people } from './demo.ts';
import { OPERATOR } from './place.ts';
import { IN_PROCESS_BROKER } from './servers.ts';
import { startStack, type Stack, type StackOptions } from './stack.ts';
import { buildDocsInBackground, buildPages } from './pages.ts';

const environment = {
  GATEWAY_PORT: env.integer('port of the public API', { min: 1, max: 65_535, default: '8080' }),
  IDP_PORT: env.integer('port of the development identity provider', { min: 1, max: 65_535, default: '8090' }),
  PORTAL_PORT: env.integer('port of the portal', { min: 1, max: 65_535, default: '8070' }),
  CONSOLE_PORT: env.integer('port of the console', { min: 1, max: 65_535, default: '8071' }),
  DATABASE_URL: env.optional(
    env.url('an existing PostgreSQL, with a user who may create roles and databases', {
      protocols: ['postgres:', 'postgresql:'],
    }),
  ),
  AMQP_URL: env.optional(env.url('an existing RabbitMQ', { protocols: ['amqp:', 'amqps:'] })),
  LOG_FORMAT: env.oneOf('format of log lines', ['text', 'json'], { default: 'text' }),
};

/** @throws TypeError that names an unknown argument */
function readArguments(): { readonly allInOne: boolean } {
  const { values } = parseArgs({ options: { 'all-in-one': { type: 'boolean', default: false } } });
  return { allInOne: values['all-in-one'] };
}

/**
 * Chooses the broker and the number of processes. If RabbitMQ is not installed and cannot be, all services run in one
 * process without it.
 * @throws BackendError if RABBITMQ_SERVER names no program
 */
async function chooseMode(
  { AMQP_URL: amqpUrl }: Values<typeof environment>,
  print: (line: string) => void,
): Promise<Pick<StackOptions, 'amqpUrl' | 'allInOne'>> {
  const { allInOne } = readArguments();
  if (amqpUrl !== undefined || findRabbitMqServer() !== undefined) return { amqpUrl, allInOne };
  try {
    await ensureRabbitMqInstalled(print);
    return { amqpUrl, allInOne };
  } catch (error) {
    if (!(error instanceof BackendError)) throw error;
    print(`running all services in one process without RabbitMQ. ${error.message}`);
    return { amqpUrl: IN_PROCESS_BROKER, allInOne: true };
  }
}

/** Resolves with Ctrl-C or SIGTERM, also during the start. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(signal));
  });
}

async function main(): Promise<void> {
  const startedAt = performance.now();
  const values = readEnvironment(environment);
  const print = (line: string): void => printLine(values.LOG_FORMAT, line);
  const signalled = stopSignal();
  const unlockFolder = lockFolder(localFolder);
  await assertPortFree(values.GATEWAY_PORT, 'GATEWAY_PORT');
  await assertPortFree(values.IDP_PORT, 'IDP_PORT');
  await assertPortFree(values.PORTAL_PORT, 'PORTAL_PORT');
  await assertPortFree(values.CONSOLE_PORT, 'CONSOLE_PORT');
  const generator = join(projectRoot, 'tools/generate.ts');
  execFileSync(process.execPath, [generator, '--untracked'], { stdio: ['ignore', 'ignore', 'inherit'] });
  await buildPages(print);
  const ended = new AbortController();
  void signalled.then(() => ended.abort());
  const stack = await startStack({
    folder: localFolder,
    gatewayPort: values.GATEWAY_PORT,
    idpPort: values.IDP_PORT,
    portalPort: values.PORTAL_PORT,
    consolePort: values.CONSOLE_PORT,
    format: values.LOG_FORMAT,
    databaseUrl: values.DATABASE_URL,
    ...(await chooseMode(values, print)),
    signal: ended.signal,
  });
  try {
    const serving = serve(stack, print, startedAt).then(() => void buildDocsInBackground(print, ended.signal));
    const signal = await Promise.race([signalled, serving.then(() => signalled)]);
    print(`${signal}: stopping`);
  } finally {
    await stack.stop();
    unlockFolder();
    print('stopped');
  }
}

async function serve(stack: Stack, print: (line: string) => void, startedAt: number): Promise<void> {
  const demoFile = join(localFolder, 'demo.json');
  writeCommandEnvironments(stack, localFolder);
  const demo = await prepareDemo(stack, demoFile, print);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  print(`ready after ${seconds} s. Running the main job once through the public API:`);
  // Users may have traded all sample data. The stack serves anyway.
  await runMainJob(demo, print).catch((error: unknown) => print(`  The main job failed: ${(error as Error).message}`));
  printAddresses(demo, stack, demoFile, print);
}

function printAddresses(
  demo: Demo,
  { portalUrl, consoleUrl }: Stack,
  demoFile: string,
  print: (line: string) => void,
): void {
  const [channel] = demo.channels;
  const { apiKey } = channel.users[0];
  const inventory = `${demo.baseUrl}/saleschannel-services/v1/traders/${channel.traders[0]?.id}/inventory`;
  print('');
  print(`  Portal ${portalUrl}   Sign in with any password as:`);
  for (const { name, about } of people) print(`    ${name.padEnd(8)} ${about}`);
  print(`  Console ${consoleUrl}   Sign in as ${OPERATOR}`);
  print('');
  print(`  API                 ${demo.baseUrl}   (documentation: ${demo.baseUrl}/docs)`);
  print(`  registry import API ${demo.registryBaseUrl}`);
  print(`  identity provider   ${demo.issuer}   (development only)`);
  print(`  credentials         ${demoFile}`);
  print('');
  print(`  curl -u '${apiKey.id}:${apiKey.secret}' ${inventory}`);
  print('');
  print('  Press Ctrl-C to stop.');
}

try {
  await main();
  process.exit(0);
} catch (error) {
  if (error instanceof StartAborted) process.exit(0);
  // Errors that the user can fix take one line. Others are bugs and show their stack.
  const known = error instanceof BackendError || error instanceof EnvironmentError;
  process.stderr.write(`${known ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`);
  process.exit(1);
}
