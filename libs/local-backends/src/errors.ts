/**
 * A server could not be installed, started or found. The message is meant for the person at the terminal and names the
 * way out.
 */
export class BackendError extends Error {
  override readonly name = 'BackendError';
}
