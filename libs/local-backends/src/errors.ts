/**
 * A server could not be installed, started or found. The message is for the person at the terminal, and names the
 * remedy.
 */
export class BackendError extends Error {
  override readonly name = 'BackendError';
}
