import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type * as installation from '@saleschannel/installation';
import { projectRoot } from '@saleschannel/local';

type Installation = typeof installation;

/** Runnable sources of a release, with the release's own model of an installation. */
export interface Release {
  readonly name: string;
  readonly root: string;
  readonly installation: Installation;
}

const run = promisify(execFile);
const INSTALL_LIMIT_MS = 300_000;
const SCOPE = '@saleschannel';

/**
 * @param ref a commit, branch or tag of this repository. Undefined for the current sources
 * @param folder folder to unpack the sources of the commit into
 */
export async function openRelease(ref: string | undefined, folder: string): Promise<Release> {
  if (ref === undefined) return releaseAt('these sources', projectRoot);
  const { stdout } = await run('git', ['rev-parse', '--short=9', `${ref}^{commit}`], { cwd: projectRoot });
  const commit = stdout.trim();
  const root = join(folder, commit);
  // `--from` and `--to` may be the same release.
  if (!existsSync(root)) await unpack(commit, root);
  return releaseAt(ref === commit ? commit : `${ref} (${commit})`, root);
}

async function unpack(commit: string, root: string): Promise<void> {
  mkdirSync(root, { recursive: true });
  // An archive instead of a Git work tree: it leaves nothing in the repository, even if this process is killed.
  const archive = `${root}.tar`;
  await run('git', ['archive', '--output', archive, commit], { cwd: projectRoot });
  await run('tar', ['--extract', '--file', archive, '--directory', root]);
  if (needsOtherPackages(root)) {
    const options = { cwd: root, timeout: INSTALL_LIMIT_MS };
    await run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline'], options);
  } else {
    linkPackages(root);
  }
  // Git does not hold generated files. Older releases have no generator, and need none.
  const generator = join(root, 'tools/generate.ts');
  if (existsSync(generator)) await run(process.execPath, [generator, '--run-time'], { cwd: root });
}

async function releaseAt(name: string, root: string): Promise<Release> {
  const { href } = pathToFileURL(join(root, 'deploy/installation/src/index.ts'));
  return { name, root, installation: (await import(href)) as Installation };
}

interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** Third-party packages of a release's programs, with their versions. */
function listPackages(root: string): string {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const used = Object.entries(lock.packages).filter(
    ([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link,
  );
  return JSON.stringify(used.map(([path, { version }]) => [path, version]).toSorted());
}

const needsOtherPackages = (root: string): boolean => listPackages(root) !== listPackages(projectRoot);

/** Links third-party packages from this checkout, and workspaces from the release's own sources. */
export function linkPackages(root: string): void {
  const [own, here] = [join(root, 'node_modules'), join(projectRoot, 'node_modules')];
  mkdirSync(join(own, SCOPE), { recursive: true });
  for (const entry of readdirSync(here)) if (entry !== SCOPE) symlinkSync(join(here, entry), join(own, entry));
  for (const file of globSync('{libs,apps,clients,lab}/*/package.json', { cwd: root }).concat(
    'deploy/installation/package.json',
  )) {
    const { name } = JSON.parse(readFileSync(join(root, file), 'utf8')) as { name: string };
    if (name.startsWith(`${SCOPE}/`)) symlinkSync(relative(join(own, SCOPE), join(root, file, '..')), join(own, name));
  }
}
