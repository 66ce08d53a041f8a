import type { Command, Option } from './commands/command.ts';

const PROGRAM = 'npm run admin --';

const optionText = (name: string, { value }: Option): string =>
  value === undefined ? `--${name}` : `--${name} <${value}>`;

const lines = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('');
};

export const globalOptions: Record<string, Option> = {
  'env-file': { description: 'file of NAME=value lines; the environment itself comes first', value: 'file' },
  help: { description: 'show this' },
};

export function usageOf(command: Command): string {
  const options = Object.entries({ ...command.options, ...globalOptions });
  const required = options.filter(([, option]) => option.required).map(([name, option]) => optionText(name, option));
  const words = [PROGRAM, command.name, ...(command.argument ? [`<${command.argument.name}>`] : []), ...required];
  const choices = command.argument
    ? `\n<${command.argument.name}> is one of ${command.argument.choices.join(', ')}\n`
    : '';
  const list = lines(options.map(([name, option]) => [optionText(name, option), option.description]));
  return `Usage: ${words.join(' ')}\n\n${command.description}\n${choices}\n${list}`;
}

export function usageOfAll(commands: readonly Command[]): string {
  const list = lines(commands.map(({ name, description }) => [name, description]));
  return `Usage: ${PROGRAM} <command> [options]\n\n${list}\n${PROGRAM} <command> --help shows its options.\n`;
}
