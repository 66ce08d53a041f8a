import { existsSync } from 'node:fs';
import { BackendError } from './errors.ts';
import { installPackage, isExecutable, mayInstallPackages } from './install-package.ts';

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
