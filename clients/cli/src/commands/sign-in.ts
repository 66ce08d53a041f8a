import type { Command } from 'commander';
import type { StoredCredentials, TokenCredentials } from '../config.ts';
import { UsageError } from '../failures.ts';
import { revoke, signIn } from '../oauth.ts';
import { addExamples, parseUrl } from '../options.ts';
import { createClient } from '../session.ts';
import { prompt, readLines } from '../terminal.ts';
import type { Tools } from '../tools.ts';

interface LoginOptions {
  readonly baseUrl?: string;
  readonly issuer?: string;
  readonly clientId: string;
  readonly apiKey?: boolean;
  readonly fresh?: boolean;
  readonly acr?: string;
  readonly browser: boolean;
}

export function addSignIn(program: Command, tools: Tools): void {
  const login = program
    .command('login')
    .description('Signs you in with the browser, or stores an API key.')
    .option('--base-url <url>', 'address of the service (SCS_BASE_URL)', parseUrl)
    .option('--issuer <url>', 'issuer of the identity provider (SCS_ISSUER)', parseUrl)
    .option('--client-id <id>', 'client id of scs at the identity provider', 'cli')
    .option('--no-browser', 'print the sign-in address instead of opening a browser')
    .option('--fresh', 'sign in again, even if you have a session at the identity provider')
    .option('--acr <values>', 'accepted authentication contexts, separated by spaces')
    .option('--api-key', 'store an API key; scs prompts for id and passphrase, or reads them as two lines from a pipe')
    .action((options: LoginOptions) => runLogin(options, tools));
  addExamples(
    login,
    'login --base-url https://api.example.org --issuer https://id.example.org',
    'login --fresh',
    'login --base-url https://api.example.org --api-key < key-and-passphrase.txt',
  );
  program
    .command('logout')
    .description('Deletes the credentials of the profile and ends the sign-in at the identity provider.')
    .action(() => runLogout(tools));
  program
    .command('whoami')
    .description('Shows your user, sales channel and roles.')
    .action(async () => {
      const { userId, name, email, salesChannel, roles } = await tools.client().request('getMe', signalOf(tools));
      tools
        .printer()
        .printRecord({ userId, name, email, salesChannel: salesChannel?.name ?? null, roles: roles.join(' ') });
    });
}

const signalOf = ({ io }: Tools) => ({ signal: io.signal });

async function runLogin(options: LoginOptions, tools: Tools): Promise<void> {
  const { environment } = tools.io;
  const config = tools.config();
  const before = config.profile();
  const baseUrl = options.baseUrl ?? (environment['SCS_BASE_URL'] || before?.baseUrl);
  if (!baseUrl) throw new UsageError('--base-url is required: the address of the service.');
  // Validates the address before the sign-in.
  createClient({ baseUrl, credentials: { accessToken: 'none-yet' } });
  const credentials =
    options.apiKey === true ? await readKey(tools) : await signInUser(options, before?.credentials, tools);
  const identity = credentials.kind === 'tokens' ? { accessToken: credentials.accessToken } : credentials;
  const { name, userId, salesChannel } = await createClient({ baseUrl, credentials: identity }).request(
    'getMe',
    signalOf(tools),
  );
  await config.change((stored, save) => save({ ...stored, baseUrl, credentials }));
  tools.printMessage(`Signed in as ${name ?? userId}, ${salesChannel?.name ?? 'without a sales channel'}`);
}

function signInUser(
  options: LoginOptions,
  before: StoredCredentials | undefined,
  tools: Tools,
): Promise<TokenCredentials> {
  const { environment, signal, openBrowser } = tools.io;
  const issuer =
    options.issuer ??
    (environment['SCS_ISSUER'] || undefined) ??
    (before?.kind === 'tokens' ? before.issuer : undefined);
  if (!issuer)
    throw new UsageError('--issuer is required: the identity provider. For an API key, pass --api-key instead.');
  const show = (url: string): void => {
    tools.printMessage(`Sign in here: ${url}`);
    if (options.browser) openBrowser(url);
  };
  const { clientId, fresh: isFresh = false, acr: acrValues } = options;
  return signIn({ issuer, clientId, isFresh, acrValues, signal, show });
}

/** Reads the key from a prompt or a pipe, never from arguments. */
async function readKey({ io }: Tools): Promise<StoredCredentials> {
  const isPerson = io.input.isTTY === true;
  const [apiKeyId, passphrase] = isPerson
    ? [await prompt(io, 'API key id: '), await prompt(io, 'Passphrase (not shown): ', true)]
    : await readLines(io);
  if (!apiKeyId?.trim() || !passphrase?.trim())
    throw new UsageError('Pass the id and the passphrase of the key on two lines.');
  return { kind: 'api-key', apiKeyId: apiKeyId.trim(), passphrase: passphrase.trim() };
}

async function runLogout(tools: Tools): Promise<void> {
  const credentials = await tools.config().change((profile, save) => {
    if (!profile?.credentials) return undefined;
    const { credentials: forgotten, ...rest } = profile;
    save(rest);
    return forgotten;
  });
  if (!credentials) return tools.printMessage('The profile is not signed in.');
  if (credentials.kind === 'tokens') await revoke(credentials);
  else tools.printMessage('The key is removed from the profile but still valid. To revoke it, use scs keys delete.');
}
