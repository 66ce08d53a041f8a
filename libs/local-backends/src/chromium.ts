import { accessSync, constants } from 'node:fs';
import { BackendError } from './errors.ts';
import { installPackage, mayInstallPackages } from './install-package.ts';

/** Chromium without what draws windows: a third less processor time (ADR 75). */
const PACKAGE = 'chromium-headless-shell';
const USUAL_PLACES = [PACKAGE, 'chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`);
const WAYS_OUT = `Install the package ${PACKAGE} yourself, or set CHROMIUM to the path of a Chromium or Chrome.`;

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The browser of this machine: $CHROMIUM, else that of a Linux package, the lightest first. */
function findChromium(): string | undefined {
  const named = process.env.CHROMIUM;
  const places = named === undefined ? USUAL_PLACES : [named];
  return places.find(isExecutable);
}

/**
 * The browser for tests of pages. On Debian and Ubuntu root gets the package installed.
 * @returns the path of the program
 * @throws BackendError with the ways out where there is none
 */
export async function ensureChromiumInstalled(log: (line: string) => void): Promise<string> {
  const found = findChromium();
  if (found !== undefined) return found;
  if (process.env.CHROMIUM !== undefined || !mayInstallPackages()) {
    throw new BackendError(
      `There is no browser, and only root on Debian or Ubuntu gets one installed from here. ${WAYS_OUT}`,
    );
  }
  log(`no browser is installed: installing the package ${PACKAGE} with apt-get`);
  await installPackage(PACKAGE, WAYS_OUT);
  const installed = findChromium();
  if (installed === undefined) throw new BackendError(`apt-get installed ${PACKAGE}, but no browser was found.`);
  return installed;
}
