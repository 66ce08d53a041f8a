import { Command, CommanderError } from 'commander';
import { addCompletion } from './commands/completion.ts';
import { addEvents } from './commands/events.ts';
import { addKeys } from './commands/keys.ts';
import { addListen } from './commands/listen.ts';
import { addReads, addTasks } from './commands/reads.ts';
import { addSandbox } from './commands/sandbox.ts';
import { addSignIn } from './commands/sign-in.ts';
import { addTransfers } from './commands/transfers.ts';
import { describeError, UsageError } from './failures.ts';
import { refuseSecrets } from './options.ts';
import { escapeControls } from './terminal.ts';
import { createTools, type CommandLineIo, type Tools } from './tools.ts';

const DONE = 0;
const FAILED = 1;
/** Wrong command, option, file or environment: nothing was started. */
const MISUSED = 2;

/**
 * Runs one command. Results go to `output`, everything else to `errors`.
 * @returns exit code: 0, 1 (refused or failed) or 2 (misused)
 */
export async function runCommandLine(words: readonly string[], io: CommandLineIo): Promise<number> {
  const { errors } = io;
  const program = createProgram(io);
  try {
    await program.parseAsync([...words], { from: 'user' });
    return DONE;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === DONE ? DONE : MISUSED;
    errors.write(`${escapeControls(`scs: ${describeError(error)}`)}\n`);
    return error instanceof UsageError ? MISUSED : FAILED;
  }
}

/** An unknown option may hold a secret: `--api-key=…`. Messages omit its value. */
const withoutValues = (text: string): string => text.replace(/'(--[\w-]+)=.*'/, "'$1=…'");

function createProgram(io: CommandLineIo): Command {
  const { output, errors } = io;
  const program = new Command('scs')
    .description('The command line of the Sales Channel Service: trade and retire carbon-removal certificates.')
    .option('--profile <name>', 'profile to use (SCS_PROFILE, or else "default")')
    .option('--json', 'print JSON, also on a terminal')
    .helpOption('-h, --help', 'show help')
    .addHelpText('after', '\nRun scs <command> --help for the options of a command, with examples.')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void output.write(text),
      writeErr: (text) => void errors.write(text),
      outputError: (text) => void errors.write(withoutValues(text).replace(/^error: /, 'scs: ')),
    })
    .exitOverride();
  addCommands(program, createTools(program, io));
  refuseSecrets(program);
  // Commands inherit exit and output handling when they are added, but not options.
  for (const command of program.commands) {
    if (command.commands.length === 0) refuseSecrets(command);
    command.commands.forEach(refuseSecrets);
  }
  return program;
}

function addCommands(program: Command, tools: Tools): void {
  addSignIn(program, tools);
  addReads(program, tools);
  addTransfers(program, tools);
  addTasks(program, tools);
  addEvents(program, tools);
  addListen(program, tools);
  addKeys(program, tools);
  addSandbox(program, tools);
  addCompletion(program, tools);
}
