/** Storage of the tab, or of a test. */
export type KeyStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

interface KeptKey {
  readonly key: string;
  readonly sentAt: number;
}

interface Sending {
  readonly store: KeyStore;
  send(request: Request): Promise<Response>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Names a body that is too large to be read. */
  readonly bodyName?: string | undefined;
}

const HEADER = 'Idempotency-Key';
const STORED = 'request-keys';

/**
 * Long enough for a sign-in in another tab. What was made longer ago may have been deleted since, in another tab or by
 * somebody else. Its kept answer is no answer to a person who wants it made again.
 */
const KEPT_FOR_MS = 10 * 60_000;

const hex = (bytes: ArrayBuffer): string => [...new Uint8Array(bytes)].map((byte) => byte.toString(16)).join('.');

/** A name for a file, which may have gigabytes. The API compares contents by itself. */
export const bodyNameOf = (body: Blob): string | undefined =>
  body instanceof File ? JSON.stringify([body.name, body.size, body.lastModified]) : undefined;

/** Equal for requests with the same method, address and body. The body itself is not stored. */
async function requestName(request: Request, bodyName: string | undefined): Promise<string> {
  const body = bodyName ?? hex(await crypto.subtle.digest('SHA-256', await request.clone().arrayBuffer()));
  return [request.method, request.url, body].join(' ');
}

function keptKeys({ store, now }: Sending): Map<string, KeptKey> {
  const kept = JSON.parse(store.getItem(STORED) ?? '[]') as (readonly [string, KeptKey])[];
  return new Map(kept.filter(([, { sentAt }]) => now() - sentAt < KEPT_FOR_MS));
}

const keepKeys = (store: KeyStore, keys: ReadonlyMap<string, KeptKey>): void =>
  store.setItem(STORED, JSON.stringify([...keys]));

/**
 * Sends a request with an `Idempotency-Key` that stays in the store until the answer arrives. The same request sent
 * again after a lost answer, a sign-in or a reload carries the same key, so that it counts once.
 */
async function sendWithKey(request: Request, sending: Sending): Promise<Response> {
  const name = await requestName(request, sending.bodyName);
  const key = keptKeys(sending).get(name)?.key ?? crypto.randomUUID();
  const keep = (): void => keepKeys(sending.store, keptKeys(sending).set(name, { key, sentAt: sending.now() }));
  keep();
  request.headers.set(HEADER, key);
  // A change that succeeds meanwhile drops this key too.
  const response = await sending.send(request).finally(keep);
  if (response.status === 400) {
    // A request that is refused for what it says uses no key.
    const keys = keptKeys(sending);
    keys.delete(name);
    keepKeys(sending.store, keys);
  }
  return response;
}

/**
 * Sends a request that changes something, a POST with an `Idempotency-Key` unless it has one. A change that succeeds
 * drops all kept keys: it may be the end of what one of them made.
 */
export async function sendChange(request: Request, sending: Sending): Promise<Response> {
  const needsKey = request.method === 'POST' && !request.headers.has(HEADER);
  const response = await (needsKey ? sendWithKey(request, sending) : sending.send(request));
  if (response.ok) sending.store.removeItem(STORED);
  return response;
}

/**
 * Creates a record whose secret is shown once. If a replayed answer names a record that is gone, creates another one
 * under a new key.
 * @param isThere whether the secret still opens something
 */
export async function makeSecret<T>(
  make: () => Promise<{ readonly data: T; readonly headers: Headers }>,
  isThere: (made: T) => Promise<boolean>,
): Promise<T> {
  const { data, headers } = await make();
  if (headers.get('Idempotency-Replayed') !== 'true' || (await isThere(data))) return data;
  return (await make()).data;
}
