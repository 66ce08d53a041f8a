import { Command, CommanderError } from 'commander';
import { EnvironmentError } from '@saleschannel/runtime';
import { addCommands } from './commands/index.ts';
import { wordsOf } from './failures.ts';
import type { LocalStack } from './local-stack.ts';
import { checkRequiredOptions, PROGRAM, variablesOption } from './options.ts';
import { createTools } from './tools.ts';

export interface Surroundings {
  environment: NodeJS.ProcessEnv;
  write(text: string): void;
  writeError(text: string): void;
  /** The running stack of this checkout, if there is one. */
  findLocalStack?(): LocalStack | undefined;
}

const DONE = 0;
const FAILED = 1;
/** Wrong command, option or environment: nothing was tried. */
const MISUSED = 2;

/**
 * Runs one command: its answer as JSON on standard output, or what is wrong on standard error.
 * @returns the exit code: 0, 1 (failed) or 2 (misused)
 */
export async function runCommandLine(words: readonly string[], surroundings: Surroundings): Promise<number> {
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
      // Commander has written what is wrong, except in this case, where it has written the usage alone.
      if (error.code === 'commander.help') writeError('\nadmin: A command is required.\n');
      return MISUSED;
    }
    writeError(`${nameOf(running)}: ${wordsOf(error, running)}\n`);
    if (!(error instanceof EnvironmentError)) return FAILED;
    writeError('admin: Set the variables, or start the stack of this checkout with npm start.\n');
    return MISUSED;
  }
}

function createProgram({ environment, write, writeError, findLocalStack }: Surroundings): Command {
  const program = new Command(PROGRAM)
    .description('Sets up an installation, and revokes or restores rights in it.')
    .option(
      '--env-file <file>',
      'file of NAME=value lines; the environment takes precedence, and a running local stack comes last',
      variablesOption,
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
  /** Where variables are given they count, all alone: two installations are never mixed. */
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

/** The name by which operators know a command: `admin dead-letters list`. */
function nameOf(command: Command): string {
  const { parent } = command;
  return parent ? `${nameOf(parent)} ${command.name()}` : 'admin';
}
