import { readFile, stat } from 'node:fs/promises';

/** A script's client: it gets tokens for itself by the client credentials grant. */
export interface ScriptClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly kind: 'script';
}

/** RFC 6749 appendix A: visible characters and space. */
const VISIBLE = /^[\x20-\x7e]{1,200}$/;

function isScriptClient(value: unknown): value is ScriptClient {
  if (typeof value !== 'object' || value === null) return false;
  const { clientId, clientSecret, kind } = value as Record<string, unknown>;
  return [clientId, clientSecret].every((text) => typeof text === 'string' && VISIBLE.test(text)) && kind === 'script';
}

/** @throws Error naming the first entry that is not right, without its secret */
function parseClients(text: string): Map<string, ScriptClient> {
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) throw new Error('must hold a JSON array');
  const clients = new Map<string, ScriptClient>();
  for (const [index, entry] of list.entries()) {
    if (!isScriptClient(entry))
      throw new Error(`entry ${index} must be {"clientId", "clientSecret", "kind": "script"}`);
    if (clients.has(entry.clientId)) throw new Error(`entry ${index} repeats the client id ${entry.clientId}`);
    clients.set(entry.clientId, entry);
  }
  return clients;
}

/**
 * The clients of scripts: those of a file, which is read again when it has changed, and those added while running.
 * A missing file holds no clients: whoever starts the stack may write it later.
 */
export class ScriptClients {
  readonly #file: string | undefined;
  readonly #onFault: (error: Error) => void;
  readonly #added = new Map<string, ScriptClient>();
  #fromFile = new Map<string, ScriptClient>();
  #stamp = '';

  /** @param onFault is told when a changed file can't be used; the clients read before stay */
  constructor(file: string | undefined, onFault: (error: Error) => void) {
    this.#file = file;
    this.#onFault = onFault;
  }

  add(client: ScriptClient): void {
    if (!isScriptClient(client)) throw new TypeError('a client has a clientId, a clientSecret and the kind "script"');
    this.#added.set(client.clientId, client);
  }

  async find(clientId: string): Promise<ScriptClient | undefined> {
    await this.load().catch((error: Error) => this.#onFault(error));
    return this.#added.get(clientId) ?? this.#fromFile.get(clientId);
  }

  /** Reads the file when it has changed since. @throws Error when it can't be used */
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
