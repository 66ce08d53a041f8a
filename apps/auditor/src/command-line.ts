import { parseArgs } from 'node:util';
import { readEnvironment } from '@saleschannel/runtime';
import { audit, type DatabaseUrls } from './audit.ts';
import { databaseNames, type Result } from './domain/check.ts';
import { environment } from './environment.ts';
import { addAnchors, readAnchors, type ChainHeads } from './store/anchors.ts';

export interface CommandLineIo {
  readonly environment: NodeJS.ProcessEnv;
  write(text: string): void;
  writeError(text: string): void;
  findLocalStack?(): NodeJS.Dict<string> | undefined;
}

const CLEAN = 0;
const FOUND = 1;
const NOT_RUN = 2;

const HELP = `Compares the databases of an installation with each other and counts dead letters at the broker. Changes
nothing.

npm run audit -- [--json] [--findings <number>] [--anchors <file>]

  --json                print one line of JSON instead of text
  --findings <number>   maximum number of findings to show per check (20)
  --anchors <file>      compare the audit trails with the last line of this file, and add a line when all checks
                        pass. Keep the file where no service can write

Reads AUDIT_DATABASE_URL, AUDIT_QUIET_SECONDS, AMQP_URL and AMQP_NAMESPACE. Without AMQP_URL it does not check the
broker. Without AUDIT_DATABASE_URL it uses the running stack of this checkout.
Exit code: 0 all checks passed, 1 a check failed, 2 the audit could not run.
`;

function readVariables({ environment: given, writeError, findLocalStack }: CommandLineIo): NodeJS.ProcessEnv {
  if (given['AUDIT_DATABASE_URL'] ?? given['AUDIT_DATABASE_URL_FILE']) return given;
  const stack = findLocalStack?.();
  if (stack) writeError('audit: Using the local stack\n');
  return { ...stack, ...given };
}

/** @returns the exit code */
export async function runCommandLine(words: string[], io: CommandLineIo): Promise<number> {
  const { write, writeError } = io;
  try {
    const { values } = parseArgs({
      args: words,
      options: {
        json: { type: 'boolean', default: false },
        findings: { type: 'string', default: '20' },
        anchors: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) {
      write(HELP);
      return CLEAN;
    }
    if (!/^\d{1,6}$/.test(values.findings)) throw new Error('--findings must be a whole number with at most 6 digits.');
    const given = readEnvironment(environment, readVariables(io));
    const { AMQP_URL: url, AMQP_NAMESPACE: namespace } = given;
    if (url === undefined) writeError('audit: AMQP_URL is not set, so the broker is not checked for dead letters.\n');
    let heads: ChainHeads = {};
    const anchors = values.anchors === undefined ? undefined : await readAnchors(values.anchors);
    const results = await audit(toDatabaseUrls(given.AUDIT_DATABASE_URL, given.DATABASE_CA_FILE), {
      quietSeconds: given.AUDIT_QUIET_SECONDS,
      broker: url === undefined ? undefined : { url, namespace, authorities: given.AMQP_CA_FILE },
      findingsAtMost: Number(values.findings),
      anchors: anchors && { known: anchors, onHeads: (current) => (heads = current) },
      ...(values.json ? {} : { onResult: (result) => write(`${formatResult(result).join('\n')}\n`) }),
    });
    const found = results.flatMap(({ name, count }) => (count > 0 ? [name] : []));
    if (values.anchors !== undefined && found.length === 0) await addAnchors(values.anchors, heads, new Date());
    if (values.json) write(`${JSON.stringify({ clean: found.length === 0, found, checks: results })}\n`);
    else write(found.length === 0 ? 'All checks passed.\n' : `${found.length} checks failed.\n`);
    return found.length === 0 ? CLEAN : FOUND;
  } catch (error) {
    writeError(`audit: ${(error as Error).message}\n`);
    return NOT_RUN;
  }
}

/**
 * Returns the URLs of all databases.
 * @param template with `{service}` in place of the name of a service
 * @param authorities file with the CA certificates to trust
 */
export function toDatabaseUrls(template: string, authorities?: string): DatabaseUrls {
  if (!template.includes('{service}'))
    throw new Error('AUDIT_DATABASE_URL must contain {service} in place of the name of a service.');
  const urls = databaseNames.map((name) => [
    name,
    addAuthorities(template.replaceAll('{service}', name.replaceAll('-', '_')), authorities),
  ]);
  return Object.fromEntries(urls) as DatabaseUrls;
}

/** Adds libpq's parameter for the CA certificates. */
function addAuthorities(url: string, authorities: string | undefined): string {
  if (authorities === undefined) return url;
  const address = new URL(url);
  address.searchParams.set('sslrootcert', authorities);
  return address.href;
}

/** Formats the result of a check for people. */
export function formatResult({ name, about, rows, count, findings }: Result): string[] {
  if (count === 0) return [`ok    ${name}: ${rows} rows`];
  const named = findings.map(({ id, detail }) => `        ${id}: ${detail}`);
  const more = count > findings.length ? [`        and ${count - findings.length} more`] : [];
  return [`FOUND ${name}: ${count} of ${rows} rows. ${about}:`, ...named, ...more];
}
