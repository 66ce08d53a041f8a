import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../../..');
const SCOPE = '@saleschannel';

interface Ended {
  readonly status: number | null;
  /** Both streams. */
  readonly output: string;
  readonly stdout: string;
}

/** Links packages as npm ci would: third-party ones from here, workspaces from the copy. */
function linkPackages(folder: string): void {
  for (const part of ['node_modules', 'tools/codegen/node_modules']) {
    const [from, to] = [join(root, part), join(folder, part)];
    if (!existsSync(from)) continue;
    mkdirSync(join(to, SCOPE), { recursive: true });
    for (const name of readdirSync(from)) if (name !== SCOPE) symlinkSync(join(from, name), join(to, name));
  }
  const scope = join(root, 'node_modules', SCOPE);
  for (const name of readdirSync(scope)) {
    symlinkSync(readlinkSync(join(scope, name)), join(folder, 'node_modules', SCOPE, name));
  }
}

/** A copy of this repository with its own history: one commit on main, no tags and no version plans. */
export class Workspace implements Disposable {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static make(): Workspace {
    const folder = mkdtempSync(join(tmpdir(), 'workspace-'));
    const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    const files = execFileSync('git', list, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).split('\0');
    for (const file of files) {
      const from = join(root, file);
      if (file.startsWith('.nx/version-plans/')) continue;
      if (file === '' || !existsSync(from)) continue;
      cpSync(from, join(folder, file), { recursive: true, verbatimSymlinks: true });
    }
    linkPackages(folder);
    const workspace = new Workspace(folder);
    workspace.git('init', '--quiet', '--initial-branch=main');
    workspace.git('config', 'user.name', 'Release test');
    workspace.git('config', 'user.email', 'release@example.test');
    workspace.commit('Everything so far');
    return workspace;
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: this.#folder, encoding: 'utf8' }).trim();
  }

  commit(message: string): void {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message', message);
  }

  read(file: string): string {
    return readFileSync(join(this.#folder, file), 'utf8');
  }

  has(file: string): boolean {
    return existsSync(join(this.#folder, file));
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.#folder, file), text);
  }

  /** @throws Error if the file does not contain the text */
  replace(file: string, text: string, by: string): void {
    const before = this.read(file);
    if (!before.includes(text)) throw new Error(`${file} has no ${text}`);
    this.write(file, before.replace(text, by));
  }

  version(folder: string): string {
    return (JSON.parse(this.read(`${folder}/package.json`)) as { version: string }).version;
  }

  tags(): string[] {
    return this.git('tag')
      .split('\n')
      .filter((tag) => tag !== '');
  }

  /** Runs a script of package.json and shows its output. @throws Error if it fails */
  script(name: string, ...args: readonly string[]): void {
    execFileSync('npm', ['run', '-s', name, '--', ...args], { cwd: this.#folder, stdio: 'inherit' });
  }

  run(tool: string, ...args: readonly string[]): Ended {
    const { NODE_OPTIONS: _, ...environment } = process.env;
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(this.#folder, `tools/${tool}.ts`), ...args], {
      cwd: this.#folder,
      encoding: 'utf8',
      env: { ...environment, NX_DAEMON: 'false', NX_WORKSPACE_ROOT_PATH: this.#folder, CI: 'true' },
      timeout: 300_000,
    });
    return { status, stdout, output: `${stdout}${stderr}` };
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true });
  }
}
