import { createRequire } from 'node:module';

/** As much as is used here of a module of the driver that has no types of its own. */
interface DriverUtilities {
  prepareValue(value: unknown): string | Buffer | null;
}

/** The driver's own way to write a value as a parameter. */
export const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils.js') as DriverUtilities;
