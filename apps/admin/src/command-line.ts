import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { DomainError, type Violation } from '@saleschannel/errors';
import { EnvironmentError } from '@saleschannel/runtime';
import { Command, CommanderError } from 'commander';
import {
  addCreateAccountHolder,
  addResumeHolder,
  addSetAccountHolder,
  addSetKind,
  addSuspendHolder,
} from './commands/account-holders.ts';
import { addIssueApiKey, addIssueRegistryKey, addKeys, addRevokeKey, addRevokeUserKeys } from './commands/keys.ts';
import { addDeadLetters, addReconcile, addUnbind } from './commands/messages.ts';
import { addAuditEvents, addLists, addLookUp } from './commands/reads.ts';
import {
  addCloseChannel,
  addCreateSalesChannel,
  addListSalesChannels,
  addRenameChannel,
  addResumeChannel,
  addSuspendChannel,
} from './commands/sales-channels.ts';
import { addAssignRoles, addDisableUser, addEnableUser, addEndSessions, addUnbindUser } from './commands/users.ts';
import { checkRequiredOptions, fileOption, PROGRAM } from './options.ts';
import { createTools, type Tools } from './tools.ts';

export interface CommandLineIo {
  environment: NodeJS.ProcessEnv;
  write(text: string): void;
  writeError(text: string): void;
  /** The running stack of this checkout, if there is one. */
  findLocalStack?(): LocalStack | undefined;
}

const DONE = 0;
const FAILED = 1;
/** Wrong command, option or environment. Nothing was called. */
const MISUSED = 2;

const UNAVAILABLE =
  'A service cannot be reached. Check that all services are running and that IDENTITY_ADDRESS, RBAC_ADDRESS, ' +
  'TRADERS_ADDRESS, INVENTORY_ADDRESS, REGISTRY_IMPORT_ADDRESS and WEBHOOKS_ADDRESS are right.';
const UNAUTHENTICATED = 'The services do not accept this key. SERVICE_PRIVATE_KEY must be the key of "admin".';

/**
 * Runs one command. Prints its answer as JSON on standard output, or the error on standard error.
 * @returns the exit code: 0, 1 (failed) or 2 (misused)
 */
export async function runCommandLine(words: readonly string[], surroundings: CommandLineIo): Promise<number> {
  const { writeError } = surroundings;
  const program = createProgram(surroundings);
  let running = program;
  program.hook('preAction', (_program, command) => {
    running = command;
    checkRequiredOptions(command);
  });
  try {
    await program.parseAsync([...words], { from: 'user' });
    return DONE;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === DONE) return DONE;
      // Commander has printed the error, except for a missing command, for which it prints only the usage.
      if (error.code === 'commander.help') writeError('\nadmin: A command is required.\n');
      return MISUSED;
    }
    writeError(`${nameOf(running)}: ${describeFailure(error, running)}\n`);
    if (!(error instanceof EnvironmentError)) return FAILED;
    writeError('admin: Set the variables, or start the stack of this checkout with npm start.\n');
    return MISUSED;
  }
}

function createProgram({ environment, write, writeError, findLocalStack }: CommandLineIo): Command {
  const program = new Command(PROGRAM)
    .description('Sets up an installation, and revokes or restores rights in it.')
    .option(
      '--env-file <file>',
      'file of NAME=value lines; the environment takes precedence, and a running local stack comes last',
      fileOption(parseEnv),
    )
    .helpOption('-h, --help', 'show help')
    .addHelpText('after', `\nRun ${PROGRAM} <command> --help for the options of a command, with examples.`)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: write,
      writeErr: writeError,
      outputError: (text) => writeError(text.replace(/^error: /, 'admin: ')),
    })
    .showHelpAfterError()
    .exitOverride();
  /** The local stack is used only if no variable is set, so that two installations are never mixed. */
  const variables = (names: readonly string[]): NodeJS.ProcessEnv => {
    const { envFile } = program.opts<{ envFile?: NodeJS.ProcessEnv }>();
    const given = { ...envFile, ...environment };
    if (envFile || names.some((name) => given[name] ?? given[`${name}_FILE`])) return given;
    const stack = findLocalStack?.();
    if (!stack) return given;
    writeError(`admin: Using the local stack in ${stack.folder}\n`);
    return stack.variables;
  };
  addCommands(program, createTools({ variables, write, writeError }));
  return program;
}

/** In the order in which the help lists them. */
const commands = [
  addKeys,
  addCreateSalesChannel,
  addRenameChannel,
  addListSalesChannels,
  addAssignRoles,
  addCreateAccountHolder,
  addSetAccountHolder,
  addSetKind,
  addIssueApiKey,
  addIssueRegistryKey,
  addLists,
  addLookUp,
  addAuditEvents,
  addRevokeKey,
  addRevokeUserKeys,
  addEndSessions,
  addDisableUser,
  addEnableUser,
  addUnbindUser,
  addSuspendChannel,
  addResumeChannel,
  addCloseChannel,
  addSuspendHolder,
  addResumeHolder,
  addDeadLetters,
  addUnbind,
  addReconcile,
];

function addCommands(program: Command, tools: Tools): void {
  for (const add of commands) add(program, tools);
}

/** Full name of a command, such as `admin dead-letters list`. */
function nameOf(command: Command): string {
  const { parent } = command;
  return parent ? `${nameOf(parent)} ${command.name()}` : 'admin';
}

/** Describes to the operator why a command failed. */
function describeFailure(error: unknown, command: Command): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof DomainError)) return error.message;
  if (error.code === 'unavailable') return UNAVAILABLE;
  if (error.code === 'unauthenticated') return UNAUTHENTICATED;
  return [error.message, ...error.violations.map((violation) => `  ${describeViolation(violation, command)}`)].join(
    '\n',
  );
}

const describeViolation = (violation: Violation, command: Command): string => {
  const field = fieldOf(violation);
  return field === undefined ? violation.detail : `${optionOf(field, command) ?? field} ${violation.detail}`;
};

const fieldOf = ({ pointer, parameter }: Violation): string | undefined => parameter ?? pointer?.split('/').at(-1);

/** Finds the option of a field: `--postal-code` for `postalCode`, `--account-holder` for `accountHolderId`. */
const optionOf = (field: string, command: Command): string | undefined =>
  command.options.find((option) => [field, field.replace(/Id$/, '')].includes(option.attributeName()))?.long;

/** A running stack of `npm start`. */
export interface LocalStack {
  readonly folder: string;
  /** Variables for this program. */
  readonly variables: NodeJS.Dict<string>;
}

/** Data folder of the local stack. */
const localFolder = fileURLToPath(new URL('../../../.local', import.meta.url));

/** Finds the running stack of this checkout. Undefined if none runs. */
export function findLocalStack(folder: string = localFolder): LocalStack | undefined {
  const file = join(folder, 'admin.env');
  if (!existsSync(file) || !isRunning(join(folder, 'stack.pid'))) return undefined;
  return { folder, variables: parseEnv(readFileSync(file, 'utf8')) };
}

function isRunning(pidFile: string): boolean {
  if (!existsSync(pidFile)) return false;
  try {
    process.kill(Number(readFileSync(pidFile, 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}
