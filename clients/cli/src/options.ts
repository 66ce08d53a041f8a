import { InvalidArgumentError, Option, type Command } from 'commander';
import { UsageError } from './failures.ts';

const SECRET_ADVICE =
  'Other users of this machine can read arguments, and the shell keeps them in its history. ' +
  'Use the prompt, a pipe or SCS_PASSPHRASE_FILE.';

/** Options that users try, always refused. */
export function refuseSecrets(command: Command): void {
  for (const name of ['passphrase', 'password', 'secret', 'token']) {
    const option = new Option(`--${name} <value>`).hideHelp();
    command.addOption(
      option.argParser(() => {
        // Commander's own error would repeat the value.
        throw new UsageError(`--${name} must not be used: never pass a secret as an argument. ${SECRET_ADVICE}`);
      }),
    );
  }
}

/** A whole number of at least 1, within the safe range. */
export function parseVolume(value: string): number {
  const number = Number(value);
  if (/^[1-9]\d*$/.test(value) && Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError('It must be a whole number of at least 1.');
}

export interface Selection {
  readonly start: string;
  readonly end: string;
}

const CERTIFICATE = /^.{1,64}_[0-9]{1,38}$/;

/** Repeatable: `<start>..<end>`, or one certificate. */
export function parseSelection(value: string, before: readonly Selection[] = []): readonly Selection[] {
  const [start = '-', end = start, ...rest] = value.split('..');
  if (rest.length > 0 || !CERTIFICATE.test(start) || !CERTIFICATE.test(end))
    throw new InvalidArgumentError('It must be <issuance>_<serial>..<issuance>_<serial>, as scs inventory shows them.');
  return [...before, { start, end }];
}

/** A decimal number, kept as typed. */
export function parsePrice(value: string): string {
  if (/^(0|[1-9]\d{0,9})(\.\d{1,6})?$/.test(value)) return value;
  throw new InvalidArgumentError('It must be a number with at most six digits after the decimal point.');
}

/** A day, such as 2024-01-31. */
export function parseDay(value: string): string {
  const at = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : NaN;
  // Date.parse accepts 30 February as 1 March.
  if (!Number.isNaN(at) && new Date(at).toISOString().startsWith(value)) return value;
  throw new InvalidArgumentError('It must be a date such as 2024-01-31.');
}

export type Notes = Readonly<Record<string, string>>;

/** Repeatable: `<name>=<value>`. */
export function parseNote(value: string, before: Notes = {}): Notes {
  const [, name, text] = /^([A-Za-z0-9][\w.:-]{0,39})=(.*)$/.exec(value) ?? [];
  if (name === undefined || text === undefined)
    throw new InvalidArgumentError('It must be <name>=<value>, with a name of letters, digits and _.:- characters.');
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`It repeats the name ${name}.`);
  return { ...before, [name]: text };
}

/** Parses seconds, returns milliseconds. */
function secondsOption(value: string): number {
  const seconds = Number(value);
  if (/^\d{1,6}(\.\d{1,3})?$/.test(value) && seconds > 0) return seconds * 1_000;
  throw new InvalidArgumentError('It must be a number of seconds above 0, with at most three decimal places.');
}

/** Polling interval for new events. */
export const createPollOption = (defaultSeconds: number): Option =>
  new Option('--poll <seconds>', 'interval between checks for new events')
    .argParser(secondsOption)
    .default(defaultSeconds * 1_000, String(defaultSeconds));

/** A log position, as shown by `scs events`. */
export function parsePosition(value: string): string {
  if (/^[0-9T:.Z+-]{20,40}~[\w-]{1,128}$/.test(value)) return value;
  throw new InvalidArgumentError('It must be a position, as scs events shows it.');
}

/** Option of commands that create records. */
export interface KeyOptions {
  readonly idempotencyKey?: string;
}

/** Adds `--idempotency-key`. */
export const addKeyOption = (command: Command): Command =>
  command.option(
    '--idempotency-key <key>',
    'key of an earlier attempt, so that it is not carried out twice; generated if omitted',
    parseKey,
  );

/** An Idempotency-Key. */
export function parseKey(value: string): string {
  if (/^[\w-]{1,64}$/.test(value)) return value;
  throw new InvalidArgumentError('It must have 1 to 64 letters, digits, underscores or hyphens.');
}

/** An http or https address without credentials. */
export function parseUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url && (url.username !== '' || url.password !== '')) {
    // Commander's own error would repeat the value.
    throw new UsageError('The address must not contain credentials.');
  }
  if (url && /^https?:$/.test(url.protocol)) return value;
  throw new InvalidArgumentError('It must be an address such as https://api.example.org.');
}

/** Adds examples below the help of a command. */
export const addExamples = (command: Command, ...examples: readonly string[]): Command =>
  command.addHelpText('after', ['\nExamples:', ...examples.map((words) => `  scs ${words}`)].join('\n'));
