import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { imageNames } from '../../deploy/installation/src/index.ts';
import { root, type Document } from './documents.ts';
import { parseCommands, PLACEHOLDER } from './shell.ts';

/** Options and subcommands of a command. */
export interface Declared {
  readonly options: readonly string[];
  readonly commands: Readonly<Record<string, Declared>>;
}

const declarations = new Map<string, Declared | undefined>();
const LIMIT_MS = 60_000;

/** Matches programs whose options dump-options.ts can print. Any other program would run. */
const DECLARES = /parseArgs\(|new Command\(|secretCommand\(|runCommandLine\(/;

/** Starts a program of this repository, reads its declared options, and ends it before it acts. */
function readDeclared(program: string): Declared | undefined {
  if (!declarations.has(program)) declarations.set(program, dumpOptions(program));
  return declarations.get(program);
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
function checkWords(words: readonly string[], declared: Declared, name: string): string[] {
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

/** Names that commands may use. */
interface Known {
  /** Scripts of package.json. */
  readonly scripts: Readonly<Record<string, string>>;
  /** Services of docker-compose.yml with their profiles. */
  readonly services: Readonly<Record<string, { readonly profiles?: readonly string[] }>>;
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const known = (): Known => ({
  ...(JSON.parse(read('package.json')) as Pick<Known, 'scripts'>),
  ...(parse(read('docker-compose.yml'), { merge: true }) as Pick<Known, 'services'>),
});

/** Files with commands in their comments. */
const commented = (): string[] =>
  globSync(
    ['deploy/**/*.{yaml,yml,sh}', 'docker-compose.yml', '.github/workflows/*.yml', 'deploy/docker/*Dockerfile'],
    { cwd: root, exclude: ['**/charts/**', '**/services/**', '**/alerts/**'] },
  ).toSorted();

/** Faulty commands in documents and in comments of manifests, each as `file:line: …`. */
export function checkCommands(documents: readonly Document[]): string[] {
  const all = known();
  const faults: string[] = [];
  const look = (path: string, line: number, text: string): void => {
    for (const { line: offset, words } of parseCommands(text))
      for (const fault of checkCommand(words, all)) faults.push(`${path}:${line + offset - 1}: ${fault}`);
  };
  for (const { path, blocks, prose } of documents) {
    if (isHistory(path)) continue;
    for (const { language, line, text } of blocks) if (language === 'sh') look(path, line, text);
    for (const [number, line] of prose)
      for (const [, code = ''] of line.matchAll(/`((?:npm run|docker compose|deploy\/\S+\.sh) [^`…]*)/g))
        look(path, number, code);
  }
  for (const path of commented()) for (const [line, text] of findCommandsInComments(read(path))) look(path, line, text);
  return faults;
}

/** Documents that describe the past. */
const isHistory = (path: string): boolean => path.endsWith('CHANGELOG.md') || path.startsWith('docs/decisions/');

/** Indented lines and quoted texts of comments, by line. */
export function findCommandsInComments(text: string): [number, string][] {
  return text.split('\n').flatMap((line, index): [number, string][] => {
    const [, comment] = /^\s*#(.*)$/.exec(line) ?? [];
    if (comment === undefined) return [];
    // Two spaces separate the command from its description.
    const [set] = /^ {3,}\S/.test(comment) ? comment.trimStart().split('  ', 1) : [];
    const quoted = [...comment.matchAll(/"((?:npm run|docker compose) [^"…]*)/g)].map(([, code = '']) => code);
    return [...(set === undefined ? [] : [set]), ...quoted].map((command) => [index + 1, command]);
  });
}

export function* checkCommand(words: readonly string[], all: Known): Generator<string> {
  const [program = '', ...rest] = words;
  for (const word of rest) yield* faultsOfPath(word, rest[1] === 'jest');
  if (program === 'npm' && rest[0] === 'run') yield* faultsOfScript(rest.slice(1), all);
  else if (program === 'npm' && rest[0] === 'start' && !('start' in all.scripts))
    yield 'package.json has no script start';
  else if (program === 'admin' || program === 'scs') yield* faultsOfOwn(program, rest, all);
  else if (program === 'docker' && rest[0] === 'compose') yield* faultsOfCompose(rest.slice(1), all);
  else if (program === 'docker-compose') yield* faultsOfCompose(rest, all);
  else if (program === 'kubectl' || program === 'helm') yield* faultsOfWorkloads(rest);
  else if (/^(\.\/)?deploy\/.*\.sh$/.test(program)) yield* faultsOfShellScript(program, rest, all);
}

/** @param isPattern true for the beginning of test paths */
function* faultsOfPath(word: string, isPattern: boolean): Generator<string> {
  const [path] =
    /(?<=^(?:\.\/|\S{0,200}=)?)(apps|libs|clients|lab|deploy|docs|tools|protos|released)\/[\w./-]+/.exec(word) ?? [];
  // Placeholders, variables and patterns are not checked.
  if (path === undefined || /[<$*…{]/.test(word)) return;
  if (existsSync(join(root, path)) || (isPattern && globSync(`${path}*`, { cwd: root }).length > 0)) return;
  yield `${path} does not exist`;
}

function* faultsOfScript(words: readonly string[], all: Known): Generator<string> {
  const [script = '', ...rest] = words.filter((word) => !['-s', '--silent'].includes(word));
  if (rest.includes('-w') || script === '' || script === PLACEHOLDER) return;
  if (!(script in all.scripts)) yield `package.json has no script ${script}`;
  else if (rest[0] === '--') yield* faultsOfOwn(script, rest.slice(1), all);
}

/** @param script a script of package.json. Checks only programs of this repository, which can print their options */
function* faultsOfOwn(script: string, words: readonly string[], { scripts }: Known): Generator<string> {
  const [, program] = /^node (\S+\.ts)$/.exec(scripts[script] ?? '') ?? [];
  const declared = program === undefined || words.length === 0 ? undefined : readDeclared(program);
  if (declared) yield* checkWords(words, declared, script);
}

/** Options of `docker compose` whose value is the next word. */
const withValue = new Set(
  ['-f', '--file', '--profile', '--env-file', '-p', '--entrypoint', '--volume', '-v', '--env', '-e', '--user'].concat(
    '--timeout',
    '--tail',
    '--since',
    '--scale',
    '-u',
  ),
);
/** Commands that take one service; the remaining words are for the container. */
const forOne = ['run', 'exec'];
const forMany = ['up', 'stop', 'start', 'restart', 'ps', 'logs', 'build', 'pull', 'rm', 'kill', 'create'];

function* faultsOfCompose(words: readonly string[], all: Known): Generator<string> {
  const names: string[] = [];
  for (const [index, word] of words.entries()) {
    if (words[index - 1] === '--profile') yield* faultsOfProfile(word, all);
    if (word.startsWith('-') || withValue.has(words[index - 1] ?? '-')) continue;
    names.push(word);
    if (forOne.includes(names[0] ?? '-') && names.length === 2) {
      yield* faultsOfService(word, all);
      if (word === 'admin') yield* faultsOfOwn(word, words.slice(index + 1), all);
      if (word === 'auditor') yield* faultsOfOwn('audit', words.slice(index + 1), all);
      return;
    }
  }
  const [command = '', ...services] = names;
  if (forMany.includes(command)) for (const service of services) yield* faultsOfService(service, all);
}

function* faultsOfService(name: string, { services }: Known): Generator<string> {
  if (/^[a-z0-9-]+$/.test(name) && !(name in services)) yield `docker-compose.yml has no service ${name}`;
}

function* faultsOfProfile(name: string, { services }: Known): Generator<string> {
  if (!Object.values(services).some(({ profiles }) => profiles?.includes(name)))
    yield `docker-compose.yml has no profile ${name}`;
}

/** `deployment/tasks`, `job/migrate-tasks` */
function* faultsOfWorkloads(words: readonly string[]): Generator<string> {
  for (const word of words) {
    const [, kind, name = ''] = /^(deployment|job)\/([a-z-]+)$/.exec(word) ?? [];
    const program = kind === 'job' ? name.replace(/^migrate-/, '') : name;
    if (kind !== undefined && !imageNames.some((each) => each === program)) yield `there is no ${word}`;
  }
}

/** Checks the first word against the cases of a shell script. */
function* faultsOfShellScript(program: string, words: readonly string[], all: Known): Generator<string> {
  if (!existsSync(join(root, program))) return yield `${program} does not exist`;
  const cases = [...read(program).matchAll(/^ {2}([a-z-]+(?: ?\| ?[a-z-]+)*)\) /gm)].flatMap(([, names = '']) =>
    names.split('|').map((name) => name.trim()),
  );
  const [command = ''] = words;
  if (/^[a-z-]+$/.test(command) && cases.length > 0 && !cases.includes(command))
    yield `${program} has no command ${command}`;
  if (program.endsWith('roll.sh')) for (const word of words) yield* faultsOfService(word, all);
  if (program.endsWith('profile.sh') && words[1] !== undefined) yield* faultsOfProfile(words[1], all);
}
