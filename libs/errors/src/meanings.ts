import type { ErrorCode } from './index.ts';

/**
 * Where each problem type comes from, and what to do about it: for the page that its `type` leads to and for
 * docs/errors.md, in Markdown.
 */
export const meanings: Readonly<Record<ErrorCode, { readonly cause: string; readonly cure: string }>> = {
  'invalid-request': {
    cause: 'A path, query, header or body member has the wrong form. The member `errors` names each one.',
    cure: 'Correct them and send the request again.',
  },
  'malformed-body': {
    cause: 'The body is not JSON in UTF-8, is missing, broke off, or did not arrive in time.',
    cure: 'Send it as the contract has it. `detail` says which of these it was, and where it ceases to be JSON.',
  },
  'malformed-request': {
    cause: 'What arrived is no HTTP/1.1 request, or leaves open what it asks for or where it ends.',
    cure: 'Use a client that knows HTTP. The connection is closed.',
  },
  'idempotency-key-reused': {
    cause: 'The Idempotency-Key belongs to an earlier, different request.',
    cure: 'Use a new key for a new request.',
  },
  'request-refused': {
    cause:
      'The request is well-formed but breaks a rule: a selection, a buyer, a currency, a state, or how many there ' +
      'may be. Where a value is at fault the member `errors` names it, else `detail` says what it was.',
    cure: 'Read again what the request stands on, mend it, and send it. The refused one has not used up its key.',
  },
  unauthenticated: {
    cause:
      'Credentials are missing, wrong or expired. Keys of the sales channel are not valid on the registry ' +
      'API, nor the other way round. With `error="insufficient_user_authentication"` in `WWW-Authenticate` only the ' +
      'sign-in of a person is too old, or not of the kind that is asked for.',
    cure: 'Get a new access token, or rotate the key. Where the sign-in is too old: sign in again, then repeat it.',
  },
  forbidden: {
    cause:
      'You lack what the operation needs: a role on your sales channel, or in the account portal an account ' +
      'holder. A page of another origin may also not send what changes something, unless the installation ' +
      'allows that origin.',
    cure:
      'A role administrator of your sales channel grants roles. An operator assigns account holders, and ' +
      'allows origins.',
  },
  'sales-channel-suspended': {
    cause:
      'The operator of the installation has suspended your sales channel. Everything can still be read, and ' +
      'rights can be taken away. Nothing else changes until the operator resumes it.',
    cure: 'Ask the operator why.',
  },
  'not-found': {
    cause: 'There is no such resource within your reach. What belongs to others gets exactly the same answer.',
    cure: 'Look at the id, and at whose credentials the request has.',
  },
  'route-not-found': {
    cause: 'The API has no such path. Paths are case-sensitive and do not end with a slash.',
    cure: 'Compare the path with the contract.',
  },
  'method-not-allowed': {
    cause: 'The path exists but not with this method.',
    cure: 'The header `Allow` lists its methods.',
  },
  'request-timeout': {
    cause: 'The request did not arrive in time. The connection is closed.',
    cure: 'Send it again with the same Idempotency-Key, and all of it at once.',
  },
  'headers-too-large': {
    cause: 'All headers together are larger than the limit.',
    cure: 'Most often an access token is too long: ask your identity provider for fewer claims.',
  },
  'payload-too-large': {
    cause: 'The body is larger than the limit.',
    cure: 'Split the request, or use an import.',
  },
  'unsupported-media-type': {
    cause: 'The operation does not read this media type, character set or content encoding.',
    cure: 'Send `application/json` in UTF-8, or what the contract names, without a content encoding.',
  },
  'rate-limited': {
    cause:
      'You sent too many requests, have too many streams of events open or imports unfinished, or too many log-ins ' +
      'failed from your address or with your key id. Credentials that were good before are never refused for the ' +
      'failures of others.',
    cure: 'Wait for the seconds in `Retry-After`. Close a stream, or let an import end, where `detail` says so.',
  },
  unavailable: {
    cause: 'Something that the service depends on is down, or has too much to do.',
    cure: 'Wait for the seconds in `Retry-After` and repeat the request, a POST with the same Idempotency-Key.',
  },
  internal: {
    cause: 'The service failed.',
    cure: 'Repeating a POST is safe with the same Idempotency-Key. Tell support the `requestId`.',
  },
};
