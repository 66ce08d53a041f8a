import { errorCodes, type ErrorCode } from '@saleschannel/errors';
import { plainPage } from './plain-page.ts';

/** What each problem type means and what to do about it, for the page that its `type` leads to. */
const meanings: Record<ErrorCode, string> = {
  'invalid-request':
    'A path, query, header or body member has the wrong form. The member <code>errors</code> names each one; ' +
    'correct them and send the request again.',
  'malformed-body': 'The body is not JSON in UTF-8, is missing, or broke off.',
  'malformed-request':
    'What arrived is no HTTP/1.1 request, or leaves open what it asks for or where it ends. The connection is closed.',
  'idempotency-key-reused':
    'The Idempotency-Key belongs to an earlier, different request. Use a new key for a new request.',
  'request-refused':
    'The request is well-formed but breaks a rule: a selection, a buyer, a currency or a state. The member ' +
    '<code>errors</code> says which.',
  unauthenticated:
    'Credentials are missing, wrong or expired. Get a new access token, or rotate the key. Keys of the sales ' +
    'channel are not valid on the registry API, nor the other way round.',
  forbidden:
    'You lack what the operation needs: a role on your sales channel, or in the account portal an account holder. A ' +
    'role administrator of your sales channel grants roles. An operator assigns account holders. A page of another ' +
    'origin may also not send what changes something, unless the installation allows that origin.',
  'sales-channel-suspended':
    'The operator of the installation has suspended your sales channel. Everything can still be read, and rights can ' +
    'be taken away. Nothing else changes until the operator resumes it. Ask them why.',
  'not-found': 'There is no such resource within your reach. What belongs to others gets exactly the same answer.',
  'route-not-found': 'The API has no such path. Paths are case-sensitive and do not end with a slash.',
  'method-not-allowed': 'The path exists but not with this method. The header <code>Allow</code> lists its methods.',
  'request-timeout': 'The request did not arrive in time. The connection is closed.',
  'headers-too-large': 'All headers together are larger than the limit. Most often an access token is too long.',
  'payload-too-large': 'The body is larger than the limit. Split the request, or use an import.',
  'unsupported-media-type': 'The operation does not read this media type, character set or content encoding.',
  'rate-limited':
    'You sent too many requests, or too many log-ins failed from your address or with your key id. Credentials ' +
    'that were good before are never refused for the failures of others. Wait for the seconds in ' +
    '<code>Retry-After</code>.',
  unavailable:
    'Something that the service depends on is down. Wait for the seconds in <code>Retry-After</code> and repeat ' +
    'the request with the same Idempotency-Key.',
  internal:
    'The service failed. Repeating the request with the same Idempotency-Key is safe. Tell support the ' +
    '<code>requestId</code>.',
};

/** Code → a page about the problem type `/problems/<code>`. */
export const problemPages = new Map(
  (Object.keys(errorCodes) as ErrorCode[]).map((code): [string, string] => [code, pageOf(code)]),
);

function pageOf(code: ErrorCode): string {
  const { http, title } = errorCodes[code];
  return plainPage(
    title,
    `<p>Problem type <code>/problems/${code}</code>, HTTP status ${http}.</p>
  <p>${meanings[code]}</p>
  <p><a href="/docs">The API</a></p>`,
  );
}
