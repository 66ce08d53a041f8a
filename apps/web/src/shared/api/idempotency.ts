/** Session storage, or a substitute in tests. */
export type KeyStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

interface StoredKey {
  readonly key: string;
  readonly sentAt: number;
}

interface SendOptions {
  readonly store: KeyStore;
  send(request: Request): Promise<Response>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Identifies a body too large to be read. */
  readonly bodyName?: string | undefined;
}

const HEADER = 'Idempotency-Key';
const STORED = 'request-keys';

/**
 * Long enough for a sign-in in another tab. Later, the created record may have been deleted elsewhere, and a replayed
 * response would be wrong.
 */
const KEPT_FOR_MS = 10 * 60_000;

const hex = (bytes: ArrayBuffer): string => [...new Uint8Array(bytes)].map((byte) => byte.toString(16)).join('.');

/** Identifies a file, which may have gigabytes, by its metadata. The API compares contents itself. */
export const describeBody = (body: Blob): string | undefined =>
  body instanceof File ? JSON.stringify([body.name, body.size, body.lastModified]) : undefined;

/** Equal for requests with the same method, address and body. The body is only hashed. */
async function requestName(request: Request, bodyName: string | undefined): Promise<string> {
  const body = bodyName ?? hex(await crypto.subtle.digest('SHA-256', await request.clone().arrayBuffer()));
  return [request.method, request.url, body].join(' ');
}

function readKeys({ store, now }: SendOptions): Map<string, StoredKey> {
  const stored = JSON.parse(store.getItem(STORED) ?? '[]') as (readonly [string, StoredKey])[];
  return new Map(stored.filter(([, { sentAt }]) => now() - sentAt < KEPT_FOR_MS));
}

const storeKeys = (store: KeyStore, keys: ReadonlyMap<string, StoredKey>): void =>
  store.setItem(STORED, JSON.stringify([...keys]));

/**
 * Sends a request with an `Idempotency-Key` that stays in the store until the response arrives, so that a repeat after
 * a lost response, a sign-in or a reload counts once.
 */
async function sendWithKey(request: Request, options: SendOptions): Promise<Response> {
  const name = await requestName(request, options.bodyName);
  const key = readKeys(options).get(name)?.key ?? crypto.randomUUID();
  const keep = (): void => storeKeys(options.store, readKeys(options).set(name, { key, sentAt: options.now() }));
  keep();
  request.headers.set(HEADER, key);
  // Store the key again: another change may have succeeded meanwhile and dropped it.
  const response = await options.send(request).finally(keep);
  if (response.status === 400) {
    // An invalid request does not use up its key.
    const keys = readKeys(options);
    keys.delete(name);
    storeKeys(options.store, keys);
  }
  return response;
}

/**
 * Sends a change, with an `Idempotency-Key` if it is a POST without a key. Success drops all stored keys, because the
 * change may have deleted a record created under one of these keys.
 */
export async function sendChange(request: Request, options: SendOptions): Promise<Response> {
  const needsKey = request.method === 'POST' && !request.headers.has(HEADER);
  const response = await (needsKey ? sendWithKey(request, options) : options.send(request));
  if (response.ok) options.store.removeItem(STORED);
  return response;
}

/**
 * Creates a record whose secret is shown once. If a replayed response names a record that no longer exists, creates
 * another record under a new key.
 * @param isThere whether the secret is still valid
 */
export async function createSecret<T>(
  make: () => Promise<{ readonly data: T; readonly headers: Headers }>,
  isThere: (created: T) => Promise<boolean>,
): Promise<T> {
  const { data, headers } = await make();
  if (headers.get('Idempotency-Replayed') !== 'true' || (await isThere(data))) return data;
  return (await make()).data;
}
