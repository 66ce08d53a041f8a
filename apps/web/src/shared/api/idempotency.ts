/** Storage of the tab, or of a test. */
export type KeyStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const hex = (bytes: ArrayBuffer): string => [...new Uint8Array(bytes)].map((byte) => byte.toString(16)).join('.');

/** Equal for requests with the same method, address and body. The body itself is not stored. */
async function storageName(request: Request): Promise<string> {
  const body = await request.clone().arrayBuffer();
  const text = [request.method, request.url, hex(await crypto.subtle.digest('SHA-256', body))].join(' ');
  return `request-key:${text}`;
}

/** A success, or a request that is refused for what it says. A refused request uses no key. */
const isSettled = ({ ok, status }: Response): boolean => ok || status === 400;

/**
 * Sends a request with an `Idempotency-Key` that stays in the store until the answer arrives. The same request sent
 * again after a lost answer, a sign-in or a reload carries the same key, so that it counts once.
 */
export async function sendWithKey(
  request: Request,
  store: KeyStore,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  const name = await storageName(request);
  const key = store.getItem(name) ?? crypto.randomUUID();
  store.setItem(name, key);
  request.headers.set('Idempotency-Key', key);
  const response = await send(request);
  if (isSettled(response)) store.removeItem(name);
  return response;
}
