import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';

/** RFC 6749 appendix A: visible characters and space. */
const visible = z.string().regex(/^[\x20-\x7e]{1,200}$/);

const scriptClient = z.object({ clientId: visible, clientSecret: visible, kind: z.literal('script') });

const webClient = z.object({
  clientId: visible,
  clientSecret: visible,
  kind: z.literal('web'),
  /** Redirect addresses after sign-in. */
  redirectUris: z.array(z.url()).min(1).readonly(),
  /** Redirect addresses after sign-out. */
  signedOutUris: z.array(z.url()).readonly(),
  /** Receives notices of ended sessions (OpenID Connect Back-Channel Logout). */
  backChannelLogoutUri: z.url().optional(),
});

const knownClient = z.discriminatedUnion('kind', [scriptClient, webClient]);

/** A script's client, which gets tokens for itself by the client credentials grant. */
export type ScriptClient = Readonly<z.output<typeof scriptClient>>;

/** The client of a server with pages, to which people sign in by code and PKCE. */
export type WebClient = Readonly<z.output<typeof webClient>>;

export type KnownClient = ScriptClient | WebClient;

/** @throws Error for the first invalid entry, without its secret */
function parseClients(text: string): Map<string, KnownClient> {
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) throw new Error('must hold a JSON array');
  const clients = new Map<string, KnownClient>();
  for (const [index, entry] of list.entries()) {
    const { data: client } = knownClient.safeParse(entry);
    if (!client)
      throw new Error(
        `entry ${index} must be {"clientId", "clientSecret", "kind": "script"}, or of the kind "web" with ` +
          '"redirectUris" and "signedOutUris"',
      );
    if (clients.has(client.clientId)) throw new Error(`entry ${index} repeats the client id ${client.clientId}`);
    clients.set(client.clientId, client);
  }
  return clients;
}

/**
 * Clients with a secret: from a file, which is reloaded when it changes, and those added at run time. A missing file
 * holds no clients, because it may be written later.
 */
export class KnownClients {
  readonly #file: string | undefined;
  readonly #onFault: (error: Error) => void;
  readonly #added = new Map<string, KnownClient>();
  #fromFile = new Map<string, KnownClient>();
  #stamp = '';

  /** @param onFault called when a changed file is unusable, and the previous clients stay */
  constructor(file: string | undefined, onFault: (error: Error) => void) {
    this.#file = file;
    this.#onFault = onFault;
  }

  add(client: KnownClient): void {
    const { data: valid } = knownClient.safeParse(client);
    if (!valid) throw new TypeError('A client needs a clientId, a clientSecret and the kind "script" or "web".');
    this.#added.set(valid.clientId, valid);
  }

  async find(clientId: string): Promise<KnownClient | undefined> {
    await this.load().catch((error: Error) => this.#onFault(error));
    return this.#added.get(clientId) ?? this.#fromFile.get(clientId);
  }

  /** Reads the file if it has changed. @throws Error if it is unusable */
  async load(): Promise<void> {
    if (this.#file === undefined) return;
    try {
      const { mtimeMs, size, ino } = await stat(this.#file);
      const stamp = `${mtimeMs}:${size}:${ino}`;
      if (stamp === this.#stamp) return;
      this.#fromFile = parseClients(await readFile(this.#file, 'utf8'));
      this.#stamp = stamp;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
        this.#fromFile = new Map();
        this.#stamp = '';
        return;
      }
      throw new Error(`clients file ${this.#file}: ${(error as Error).message}`, { cause: error });
    }
  }
}
