import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** A built stage: its working folder and the settings of its process. */
export interface Stage {
  readonly folder: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly user: string;
  readonly stopSignal: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
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

/** A line of .dockerignore. `isIncluded` is true if matching files, also below matching folders, reach the builder. */
interface Pattern {
  readonly glob: string;
  readonly expression: RegExp;
  readonly isSent: boolean;
}

/** "*" matches any part of a name, also a leading dot, and "**" any number of folders. */
const wildcards: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '*': '[^/]*' };

const expressionOf = (glob: string): RegExp => {
  const parts = glob.split(/(\*\*\/|\*)/);
  const source = parts
    .map((part) => wildcards[part] ?? part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('');
  return new RegExp(`^${source}(?:/.*)?$`);
};

/** Patterns of a .dockerignore. */
export const parseDockerignore = (dockerignore: string): Pattern[] =>
  dockerignore
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const glob = line.replace(/^!/, '');
      return { glob, expression: expressionOf(glob), isSent: line.startsWith('!') };
    });

/** True if a file of the build context reaches the builder. The last matching pattern decides. */
export const isIncluded = (path: string, patterns: readonly Pattern[]): boolean =>
  patterns.findLast(({ expression }) => expression.test(path))?.isSent ?? true;

/** Environment of this machine (proxy, certificates, npm's cache), without npm's variables of the test script. */
const hostEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(package|lifecycle|command|execpath)|^(NODE_ENV|INIT_CWD)$/.test(name),
    ),
  );

export interface BuildOptions {
  /** Build context. */
  readonly context: string;
  readonly dockerfile: string;
  /** Empty folder for the stages. */
  readonly work: string;
  readonly buildArguments: Readonly<Record<string, string>>;
}

/**
 * Executes a Dockerfile below `work` without Docker: COPY copies, RUN runs on this machine in the stage's folder.
 * Proves which files are copied and installed, but not that the base image has the programs that RUN needs.
 * Contributors often have no container engine; with one, `npx nx affected -t image` builds the images.
 * @throws Error if an instruction fails or is unknown
 */
export function executeDockerfile(options: BuildOptions): Stage {
  const instructions = instructionsOf(options.dockerfile);
  const build = new Build(options, instructions);
  for (const instruction of instructions) build.execute(instruction);
  return build.stage;
}

const FROM_STAGE = /^--from=(\S+) /;
const stageIn = (copy: string): string | undefined => FROM_STAGE.exec(copy)?.[1];

/** Moves a folder for its last reader, or copies it if the destination has files. */
function move(source: string, destination: string): void {
  const isEmpty = existsSync(destination) && readdirSync(destination).length === 0;
  if (isEmpty) rmdirSync(destination);
  if (existsSync(destination)) cpSync(source, destination, { recursive: true, verbatimSymlinks: true });
  else renameSync(source, destination);
}

class Build {
  readonly #options: BuildOptions;
  readonly #ignored: readonly Pattern[];
  /** Root folder of each stage. */
  readonly #stages = new Map<string, string>();
  /** Number of pending copies from each stage. */
  readonly #pendingCopies = new Map<string, number>();
  /** Build arguments and defaults, for all stages together. */
  readonly #arguments: Record<string, string>;
  #root = '';
  #workdir = '/';
  #process: Omit<Stage, 'folder'> = initialProcess;

  constructor(options: BuildOptions, instructions: readonly Instruction[]) {
    this.#options = options;
    this.#arguments = { ...options.buildArguments };
    for (const { name, text } of instructions) {
      const from = name === 'COPY' ? stageIn(text) : undefined;
      if (from !== undefined) this.#pendingCopies.set(from, (this.#pendingCopies.get(from) ?? 0) + 1);
    }
    this.#ignored = parseDockerignore(readFileSync(join(options.context, '.dockerignore'), 'utf8'));
  }

  /** The last stage. */
  get stage(): Stage {
    return { ...this.#process, folder: join(this.#root, this.#workdir) };
  }

  execute({ name, text }: Instruction): void {
    const step = this.#steps[name];
    if (!step) throw new Error(`The test cannot execute the instruction ${name}.`);
    step(text);
  }

  readonly #steps: Readonly<Record<string, (text: string) => void>> = {
    ARG: (text) => {
      const [name = '', value] = text.split('=');
      if (value !== undefined) this.#arguments[name] ??= value.replaceAll('"', '');
    },
    LABEL: (text) => {
      const labels = this.#expand(text).matchAll(/([\w.]{1,99})="([^"]*)"/g);
      this.#set({ labels: Object.fromEntries([...labels].map(([, name, value]) => [name, value])) });
    },
    FROM: (text) => this.#begin(/ AS (\S+)$/.exec(text)?.[1] ?? 'final'),
    WORKDIR: (text) => {
      this.#workdir = text;
      mkdirSync(join(this.#root, text), { recursive: true });
    },
    COPY: (text) => this.#copy(text),
    RUN: (text) => this.#run(text),
    ENV: (text) => {
      const [name, value] = this.#expand(text).split('=');
      if (name === undefined || value === undefined) throw new Error(`the test cannot parse ENV ${text}`);
      this.#set({ variables: { ...this.#process.variables, [name]: value } });
    },
    USER: (user) => this.#set({ user }),
    STOPSIGNAL: (stopSignal) => this.#set({ stopSignal }),
    ENTRYPOINT: (text) => this.#set({ entrypoint: JSON.parse(text) as string[] }),
    CMD: (text) => this.#set({ command: JSON.parse(text) as string[] }),
  };

  #set(part: Partial<Stage>): void {
    this.#process = { ...this.#process, ...part };
  }

  #begin(name: string): void {
    this.#root = join(this.#options.work, name);
    this.#workdir = '/';
    this.#process = initialProcess;
    this.#stages.set(name, this.#root);
  }

  #copy(text: string): void {
    const from = stageIn(text);
    const words = this.#expand(text).replace(FROM_STAGE, '').split(/\s+/);
    const target = words.pop();
    if (target === undefined) throw new Error(`COPY ${text} has no target`);
    const sourceFolder = from === undefined ? this.#options.context : this.#stages.get(from);
    if (sourceFolder === undefined) throw new Error(`COPY ${text} is from an unknown stage`);
    for (const word of words) {
      const source = join(sourceFolder, word);
      const isFile = !statSync(source).isDirectory();
      const destination = isFile && target.endsWith('/') ? join(this.#inside(target), word) : this.#inside(target);
      mkdirSync(dirname(destination), { recursive: true });
      // Copying is much faster without a filter, which only the context needs.
      const filter = from === undefined ? { filter: (path: string) => this.#isWanted(path) } : {};
      if (!isFile && from !== undefined && words.length === 1 && this.#isLast(from)) move(source, destination);
      else cpSync(source, destination, { recursive: true, verbatimSymlinks: true, ...filter });
    }
    if (from !== undefined) this.#pendingCopies.set(from, (this.#pendingCopies.get(from) ?? 0) - 1);
  }

  /** True for the last copy from a stage. */
  #isLast(stage: string): boolean {
    return this.#pendingCopies.get(stage) === 1;
  }

  #isWanted(path: string): boolean {
    const name = relative(this.#options.context, path).replaceAll('\\', '/');
    if (name === '' || isIncluded(name, this.#ignored)) return true;
    // An excluded folder may contain included files. BuildKit of Docker 20.10 enters it only if a pattern names it in
    // full.
    return this.#ignored.some((pattern) => pattern.isSent && pattern.glob.startsWith(`${name}/`));
  }

  #run(text: string): void {
    const { status, stdout, stderr } = spawnSync('sh', ['-ec', text], {
      cwd: join(this.#root, this.#workdir),
      encoding: 'utf8',
      env: { ...hostEnvironment(), ...this.#arguments },
    });
    if (status !== 0) throw new Error(`RUN ${text}: exit code ${status}\n${stdout}\n${stderr}`);
  }

  /** An unset argument is empty, as in a shell. */
  #expand(text: string): string {
    return text.replaceAll(/\$\{?(\w+)\}?/g, (_, name: string) => this.#arguments[name] ?? '');
  }

  #inside(path: string): string {
    return join(this.#root, path.startsWith('/') ? path : join(this.#workdir, path));
  }
}

const initialProcess: Omit<Stage, 'folder'> = {
  entrypoint: [],
  command: [],
  user: 'root',
  stopSignal: '',
  variables: {},
  labels: {},
};

/** Lists files below a folder, without dependencies. */
export const listFiles = (folder: string): string[] =>
  globSync('**/*', { cwd: folder, exclude: (path) => path.endsWith('node_modules') })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => path.replaceAll('\\', '/'));
