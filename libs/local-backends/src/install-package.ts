import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, globSync } from 'node:fs';
import { BackendError } from './errors.ts';

const SHOWN_LINES = 8;
/** Waits for another apt or dpkg instead of failing at once. */
const LOCK_TIMEOUT_S = 120;
/** Maximum silence of a mirror, twice per file. */
const MAX_SILENCE_S = 20;
const OPTIONS = [
  `DPkg::Lock::Timeout=${LOCK_TIMEOUT_S}`,
  `Acquire::http::Timeout=${MAX_SILENCE_S}`,
  'Acquire::Retries=1',
];

interface Outcome {
  readonly succeeded: boolean;
  readonly lastLines: string;
}

function aptGet(...args: string[]): Promise<Outcome> {
  const child = spawn('apt-get', ['-q', ...OPTIONS.flatMap((option) => ['-o', option]), ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let lines: string[] = [];
  const collect = (chunk: Buffer): void => {
    lines = (lines.join('\n') + chunk.toString('utf8')).split('\n').slice(-2 * SHOWN_LINES);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ succeeded: false, lastLines: error.message }));
    child.once('close', (code) => {
      resolve({ succeeded: code === 0, lastLines: lines.join('\n').trim().split('\n').slice(-SHOWN_LINES).join('\n') });
    });
  });
}

/** Whether this process may install system packages. */
export const mayInstallPackages = (): boolean =>
  process.getuid?.() === 0 && existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get');

const hasPackageLists = (): boolean => globSync('/var/lib/apt/lists/*_Packages*').length > 0;

/**
 * Installs a package of Debian or Ubuntu, without recommended packages.
 * @param remedies what the person can do instead, for the error message
 * @throws BackendError with the last lines of apt-get
 */
export async function installPackage(name: string, remedies: string): Promise<void> {
  const installation = ['install', '-y', '--no-install-recommends', name];
  let outcome = hasPackageLists() ? await aptGet(...installation) : undefined;
  if (outcome?.succeeded) return;
  const update = await aptGet('update'); // no lists, or outdated ones
  outcome = await aptGet(...installation);
  if (outcome.succeeded) return;
  // Shows the update's lines too: without a network it succeeds with warnings, and only the installation fails.
  const shown = `${update.lastLines}\n${outcome.lastLines}`;
  throw new BackendError(`apt-get could not install ${name}. ${remedies} Its last lines:\n${shown}`);
}

export const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Chromium without a window system: a third less processor time (ADR 75). */
const PACKAGE = 'chromium-headless-shell';
const DEFAULT_PATHS = [PACKAGE, 'chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`);
const REMEDIES = `Install the package ${PACKAGE} yourself, or set CHROMIUM to the path of a Chromium or Chrome.`;

/** Finds a browser: $CHROMIUM if set, otherwise the lightest that a Linux package has installed. */
function findChromium(): string | undefined {
  const named = process.env.CHROMIUM;
  const paths = named === undefined ? DEFAULT_PATHS : [named];
  return paths.find(isExecutable);
}

/**
 * Returns the path of the browser for page tests. Root on Debian and Ubuntu gets it installed.
 * @throws BackendError with remedies if there is none
 */
export async function ensureChromiumInstalled(log: (line: string) => void): Promise<string> {
  const found = findChromium();
  if (found !== undefined) return found;
  if (process.env.CHROMIUM !== undefined || !mayInstallPackages()) {
    throw new BackendError(
      `There is no browser, and only root on Debian or Ubuntu can install one from here. ${REMEDIES}`,
    );
  }
  log(`no browser is installed; installing the package ${PACKAGE} with apt-get`);
  await installPackage(PACKAGE, REMEDIES);
  const installed = findChromium();
  if (installed === undefined) throw new BackendError(`apt-get installed ${PACKAGE}, but no browser was found.`);
  return installed;
}

const PDF_PACKAGE = 'poppler-utils';
const PDF_TO_TEXT = '/usr/bin/pdftotext';
const PDF_REMEDY = `Install the package ${PDF_PACKAGE} yourself.`;

/**
 * Returns the path of the program that reads PDFs in tests. Root on Debian and Ubuntu gets it installed.
 * @throws BackendError with the remedy if there is none
 */
export async function ensurePdfToTextInstalled(): Promise<string> {
  if (existsSync(PDF_TO_TEXT)) return PDF_TO_TEXT;
  if (!mayInstallPackages()) throw new BackendError(`There is no ${PDF_TO_TEXT}. ${PDF_REMEDY}`);
  await installPackage(PDF_PACKAGE, PDF_REMEDY);
  return PDF_TO_TEXT;
}
