import { readFileSync } from 'node:fs';
import { parseArgs, parseEnv } from 'node:util';
import { createServiceTokens } from '@saleschannel/auth';
import { DomainError, type Violation } from '@saleschannel/errors';
import { EnvironmentError, readEnvironment } from '@saleschannel/runtime';
import { createAdministration } from './administration.ts';
import { UsageError, type Command, type Input, type Tools } from './commands/command.ts';
import { commands } from './commands/index.ts';
import { brokerEnvironment, servicesEnvironment } from './environment.ts';
import { globalOptions, usageOf, usageOfAll } from './usage.ts';

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
  const command = commands.find(({ name }) => name.split(' ').every((word, index) => words[index] === word));
  if (!command) return withoutCommand(words, surroundings);
  try {
    const parsed = parse(command, words.slice(command.name.split(' ').length));
    if (parsed.values['help']) {
      surroundings.write(usageOf(command));
      return DONE;
    }
    const input = inputOf(command, parsed);
    const answer = await command.run(
      input,
      toolsOf(environmentOf(surroundings.environment, parsed.values['env-file'])),
    );
    surroundings.write(`${JSON.stringify(answer, null, 2)}\n`);
    return DONE;
  } catch (error) {
    return report(command, error, surroundings);
  }
}

function withoutCommand(words: readonly string[], { write, writeError }: Surroundings): number {
  const [first] = words;
  if (first === 'help' || first === '--help' || first === '-h') {
    write(usageOfAll(commands));
    return DONE;
  }
  const named =
    words
      .filter((word) => !word.startsWith('-'))
      .slice(0, 2)
      .join(' ') || first;
  const problem = named === undefined ? 'a command is missing' : `there is no command "${named}"`;
  writeError(`admin: ${problem}\n\n${usageOfAll(commands)}`);
  return MISUSED;
}

interface Parsed {
  values: Record<string, string | boolean | undefined>;
  positionals: string[];
}

/** @throws UsageError */
function parse(command: Command, args: string[]): Parsed {
  const known = Object.entries({ ...command.options, ...globalOptions });
  const options = Object.fromEntries(
    known.map(([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' } as const]),
  );
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return { values: values as Parsed['values'], positionals };
  } catch (error) {
    // The first sentence names the option; the rest is about parseArgs.
    throw new UsageError((error as Error).message.split('. ')[0], { cause: error });
  }
}

/** @throws UsageError */
function inputOf(command: Command, { values, positionals }: Parsed): Input {
  for (const [name, { required }] of Object.entries(command.options)) {
    if (required && values[name] === undefined) throw new UsageError(`--${name} is missing`);
    if (typeof values[name] === 'string' && values[name].trim() === '') throw new UsageError(`--${name} is empty`);
  }
  const optional = (option: string): string | undefined => values[option] as string | undefined;
  return {
    text: (option) => optional(option) ?? '',
    optional,
    flag: (option) => values[option] === true,
    argument: argumentOf(command, positionals),
  };
}

function argumentOf({ argument }: Command, positionals: string[]): string {
  const [word, ...others] = positionals;
  const surplus = argument ? others[0] : word;
  if (surplus !== undefined) throw new UsageError(`"${surplus}" is not understood`);
  if (!argument) return '';
  if (word === undefined)
    throw new UsageError(`<${argument.name}> is missing; it is one of ${argument.choices.join(', ')}`);
  if (!argument.choices.includes(word))
    throw new UsageError(`"${word}" is no ${argument.name}; it is one of ${argument.choices.join(', ')}`);
  return word;
}

/** @throws UsageError */
function environmentOf(environment: NodeJS.ProcessEnv, file: string | boolean | undefined): NodeJS.ProcessEnv {
  if (typeof file !== 'string') return environment;
  try {
    return { ...parseEnv(readFileSync(file, 'utf8')), ...environment };
  } catch (error) {
    throw new UsageError(`--env-file: ${(error as Error).message}`, { cause: error });
  }
}

const toolsOf = (environment: NodeJS.ProcessEnv): Tools => ({
  async administration(work) {
    const values = readEnvironment(servicesEnvironment, environment);
    const administration = createAdministration({
      addresses: {
        identity: values.IDENTITY_ADDRESS,
        rbac: values.RBAC_ADDRESS,
        registryImport: values.REGISTRY_IMPORT_ADDRESS,
      },
      tokens: await createServiceTokens('admin', values.SERVICE_PRIVATE_KEY),
    });
    try {
      return await work(administration);
    } finally {
      administration.close();
    }
  },
  broker() {
    const { AMQP_URL: url, AMQP_NAMESPACE: namespace } = readEnvironment(brokerEnvironment, environment);
    return { url, namespace };
  },
});

function report(command: Command, error: unknown, { writeError }: Surroundings): number {
  const prefix = `admin ${command.name}: `;
  if (error instanceof UsageError) writeError(`${prefix}${error.message}\n\n${usageOf(command)}`);
  else if (error instanceof DomainError) writeError(`${prefix}${explain(command, error)}\n`);
  else writeError(`${prefix}${error instanceof Error ? error.message : String(error)}\n`);
  return error instanceof UsageError || error instanceof EnvironmentError ? MISUSED : FAILED;
}

function explain(command: Command, error: DomainError): string {
  if (error.code === 'not-found' && command.notFound) return command.notFound;
  if (error.code === 'unavailable') {
    return 'a service cannot be reached: does it run, and are IDENTITY_ADDRESS, RBAC_ADDRESS and REGISTRY_IMPORT_ADDRESS right?';
  }
  if (error.code === 'unauthenticated')
    return 'the services do not know this key: SERVICE_PRIVATE_KEY must be that of "admin"';
  return [
    error.message,
    ...error.violations.map((violation) => `  ${optionOf(command, violation)} ${violation.detail}`),
  ].join('\n');
}

/** The option behind a field: `#/address/postalCode` is `--postal-code`, `accountHolderId` is `--account-holder`. */
function optionOf(command: Command, { pointer, parameter }: Violation): string {
  const field = parameter ?? pointer?.split('/').at(-1) ?? '';
  const name = field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const option = [name, name.replace(/-id$/, '')].find((candidate) => Object.hasOwn(command.options, candidate));
  return option === undefined ? field : `--${option}`;
}
