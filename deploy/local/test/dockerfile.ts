import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, matchesGlob, relative } from 'node:path';

interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** One stage as it was carried out: its working folder, and what is said of the process. */
export interface Stage {
  readonly folder: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly user: string;
  readonly stopSignal: string;
  readonly variables: Readonly<Record<string, string>>;
}

function instructionsOf(dockerfile: string): Instruction[] {
  const lines = dockerfile
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [name = '', text = ''] = line.split(/ (.*)/s);
    return { name, text: text.trim() };
  });
}

/** Whether a file of the build context reaches the builder: the last pattern that fits it, or a folder above it, decides. */
export function isSent(path: string, patterns: readonly string[]): boolean {
  const above = path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
  let sent = true;
  for (const pattern of patterns) {
    const negated = pattern.startsWith('!');
    const glob = negated ? pattern.slice(1) : pattern;
    // "*" and "**/" of the patterns meet names that begin with a dot too; matchesGlob leaves those out.
    if (
      above.some((each) =>
        matchesGlob(each.replaceAll(/(^|\/)\./g, '$1_dot_'), glob.replaceAll(/(^|\/)\./g, '$1_dot_')),
      )
    )
      sent = negated;
  }
  return sent;
}

/** The lines of a .dockerignore. */
export const patternsOf = (dockerignore: string): string[] =>
  dockerignore.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

/** This machine's settings (proxy, certificates, npm's cache), but not what npm says of the script that runs the tests. */
const surroundings = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(package|lifecycle|command|execpath)|^(NODE_ENV|INIT_CWD)$/.test(name),
    ),
  );

/**
 * Carries out a Dockerfile below `work` without Docker, as far as files go: COPY copies, RUN runs on this machine in the stage's folder. Base images are left out, so
 * that it proves what is copied and installed, and not that the base image holds what RUN needs.
 * @throws Error when an instruction fails or is not understood
 */
export function carryOut(options: {
  context: string;
  dockerfile: string;
  work: string;
  buildArguments: Record<string, string>;
}): Stage {
  const { context, work, buildArguments } = options;
  const ignored = patternsOf(readFileSync(join(context, '.dockerignore'), 'utf8'));
  const stages = new Map<string, string>();
  let stage = {
    folder: '',
    entrypoint: [] as string[],
    command: [] as string[],
    user: 'root',
    stopSignal: '',
    variables: {} as Record<string, string>,
  };
  let workdir = '/';
  const expand = (text: string): string =>
    text.replaceAll(/\$\{?(\w+)\}?/g, (_, name: string) => buildArguments[name] ?? '');
  const inside = (folder: string, path: string): string =>
    join(folder, path.startsWith('/') ? path : join(workdir, path));

  function copy(text: string): void {
    const [, from, rest = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(expand(text)) ?? [];
    const words = rest.split(/\s+/);
    const target = words.pop() ?? '';
    for (const word of words) {
      const source = from === undefined ? join(context, word) : join(stages.get(from) ?? '', word);
      const isFolder = statSync(source).isDirectory();
      const destination =
        !isFolder && target.endsWith('/') ? join(inside(stage.folder, target), word) : inside(stage.folder, target);
      mkdirSync(dirname(destination), { recursive: true });
      const isWanted = (path: string): boolean => {
        const name = relative(context, path).replaceAll('\\', '/');
        // A folder that is not sent may hold files that are.
        return (
          from !== undefined ||
          name === '' ||
          isSent(name, ignored) ||
          (statSync(path).isDirectory() && !name.endsWith('node_modules'))
        );
      };
      cpSync(source, destination, { recursive: true, verbatimSymlinks: true, filter: isWanted });
    }
  }

  function run(text: string): void {
    const done = spawnSync('sh', ['-ec', text], {
      cwd: join(stage.folder, workdir),
      encoding: 'utf8',
      env: { ...surroundings(), ...buildArguments },
    });
    if (done.status !== 0) throw new Error(`RUN ${text}: exit code ${done.status}\n${done.stdout}\n${done.stderr}`);
  }

  const steps: Record<string, (text: string) => void> = {
    ARG: () => undefined,
    LABEL: () => undefined,
    FROM(text) {
      const name = / AS (\S+)$/.exec(text)?.[1] ?? 'final';
      stage = { folder: join(work, name), entrypoint: [], command: [], user: 'root', stopSignal: '', variables: {} };
      workdir = '/';
      stages.set(name, stage.folder);
    },
    WORKDIR(text) {
      workdir = text;
      mkdirSync(join(stage.folder, workdir), { recursive: true });
    },
    COPY: copy,
    RUN: run,
    ENV(text) {
      const [name = '', value = ''] = text.split('=');
      stage.variables[name] = value;
    },
    USER: (text) => void (stage.user = text),
    STOPSIGNAL: (text) => void (stage.stopSignal = text),
    ENTRYPOINT: (text) => void (stage.entrypoint = JSON.parse(text) as string[]),
    CMD: (text) => void (stage.command = JSON.parse(text) as string[]),
  };
  for (const { name, text } of instructionsOf(options.dockerfile)) {
    const step = steps[name];
    if (!step) throw new Error(`the test does not understand ${name}`);
    step(text);
  }
  return { ...stage, folder: join(stage.folder, workdir) };
}

/** Files below a folder, those of dependencies left out. */
export const filesOf = (folder: string): string[] =>
  globSync('**/*', { cwd: folder, exclude: (path) => path.endsWith('node_modules') })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => path.replaceAll('\\', '/'));
