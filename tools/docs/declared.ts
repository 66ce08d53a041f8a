import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './documents.ts';

/** Options and subcommands of a command. */
export interface Declared {
  readonly options: readonly string[];
  readonly commands: Readonly<Record<string, Declared>>;
}

const known = new Map<string, Declared | undefined>();
const LIMIT_MS = 60_000;

/** Matches programs whose options dump-options.ts can print. Any other program would run. */
const DECLARES = /parseArgs\(|new Command\(|secretCommand\(|runCommandLine\(/;

/** Starts a program of this repository, reads its declared options, and ends it before it acts. */
export function readDeclared(program: string): Declared | undefined {
  if (!known.has(program)) known.set(program, dumpOptions(program));
  return known.get(program);
}

function dumpOptions(program: string): Declared | undefined {
  if (!DECLARES.test(readFileSync(join(root, program), 'utf8'))) return undefined;
  const preload = join(import.meta.dirname, 'dump-options.ts');
  const output = execFileSync(process.execPath, ['--import', preload, program], {
    cwd: root,
    encoding: 'utf8',
    timeout: LIMIT_MS,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(output) as Declared;
}

/** Options of every command. */
const everywhere = ['--help', '-h', '--version', '-V'];

/** Faults of the words after a program's name. */
export function checkWords(words: readonly string[], declared: Declared, name: string): string[] {
  let command = declared;
  let path = name;
  const options = [...everywhere, ...declared.options];
  const faults: string[] = [];
  for (const [index, word] of words.entries()) {
    const below = command.commands[word];
    if (below) {
      command = below;
      path = `${path} ${word}`;
      options.push(...below.options);
    } else if (/^--?[a-z]/i.test(word)) {
      const [option = ''] = word.split('=');
      if (!options.includes(option)) faults.push(`"${path}" has no option ${option}`);
    } else if (/^[a-z][a-z-]*$/.test(word) && Object.keys(command.commands).length > 0 && isCommand(words, index)) {
      faults.push(`"${path}" has no command ${word}`);
    }
  }
  return faults;
}

/** False for the value of an option. */
const isCommand = (words: readonly string[], index: number): boolean => !words[index - 1]?.startsWith('-');
