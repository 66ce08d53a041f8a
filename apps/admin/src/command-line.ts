import { Command, CommanderError } from 'commander';
import { EnvironmentError } from '@saleschannel/runtime';
import { addCommands } from './commands/index.ts';
import { wordsOf } from './failures.ts';
import { checkRequiredOptions, PROGRAM, variablesOption } from './options.ts';
import { createTools } from './tools.ts';

export interface Surroundings {
  environment: NodeJS.ProcessEnv;
  write(text: string): void;
  writeError(text: string): void;
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
      if (error.code === 'commander.help') writeError('\nadmin: a command is missing\n');
      return MISUSED;
    }
    writeError(`${nameOf(running)}: ${wordsOf(error, running)}\n`);
    return error instanceof EnvironmentError ? MISUSED : FAILED;
  }
}

function createProgram({ environment, write, writeError }: Surroundings): Command {
  const program = new Command(PROGRAM)
    .description('First steps of an installation, and help for operators.')
    .option('--env-file <file>', 'file of NAME=value lines; the environment itself comes first', variablesOption)
    .helpOption('-h, --help', 'show this')
    .addHelpText('after', `\n${PROGRAM} <command> --help shows the options of a command, with examples.`)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: write,
      writeErr: writeError,
      outputError: (text) => writeError(text.replace(/^error: /, 'admin: ')),
    })
    .showHelpAfterError()
    .exitOverride();
  const tools = createTools(
    () => ({ ...program.opts<{ envFile?: NodeJS.ProcessEnv }>().envFile, ...environment }),
    write,
  );
  addCommands(program, tools);
  return program;
}

/** The name by which operators know a command: `admin dead-letters list`. */
function nameOf(command: Command): string {
  const { parent } = command;
  return parent ? `${nameOf(parent)} ${command.name()}` : 'admin';
}
