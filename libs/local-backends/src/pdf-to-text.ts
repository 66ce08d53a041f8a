import { existsSync } from 'node:fs';
import { BackendError } from './errors.ts';
import { installPackage, mayInstallPackages } from './install-package.ts';

const PACKAGE = 'poppler-utils';
const PROGRAM = '/usr/bin/pdftotext';
const WAYS_OUT = `Install the package ${PACKAGE} yourself.`;

/**
 * What reads PDFs for tests. On Debian and Ubuntu root gets the package installed.
 * @returns the path of the program
 * @throws BackendError with the way out where there is none
 */
export async function ensurePdfToTextInstalled(): Promise<string> {
  if (existsSync(PROGRAM)) return PROGRAM;
  if (!mayInstallPackages()) throw new BackendError(`There is no ${PROGRAM}. ${WAYS_OUT}`);
  await installPackage(PACKAGE, WAYS_OUT);
  return PROGRAM;
}
