/** Key id and secret, for HTTP Basic authentication. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Authorization header value for a key (RFC 7617). */
export const basicAuthorization = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
