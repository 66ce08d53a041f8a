/** A server could not be installed, started or found. The message, for the person at the terminal, names the remedy. */
export class BackendError extends Error {
  override readonly name = 'BackendError';
}
