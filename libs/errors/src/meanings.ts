import type { ErrorCode } from './index.ts';

/** Cause and cure of each problem type, in Markdown, for the page of its `type` and for docs/integrate/errors.md. */
export const meanings: Readonly<Record<ErrorCode, { readonly cause: string; readonly cure: string }>> = {
  'invalid-request': {
    cause: 'A path parameter, query parameter, header or body member has an invalid form. `errors` lists each one.',
    cure: 'Correct them and send the request again.',
  },
  'malformed-body': {
    cause: 'The body is not JSON in UTF-8, is missing, is incomplete, or did not arrive in time.',
    cure: 'Send the body that the contract describes. `detail` names the fault and the position of invalid JSON.',
  },
  'malformed-request': {
    cause: 'The message is not a valid HTTP/1.1 request, or its target or length is ambiguous.',
    cure: 'Use a standard HTTP client. The service closes the connection.',
  },
  'idempotency-key-reused': {
    cause: 'The Idempotency-Key belongs to an earlier, different request.',
    cure: 'Use a new key for a new request.',
  },
  'request-refused': {
    cause:
      'The request is well-formed but breaks a rule, for example about a selection, a buyer, a currency, a state or ' +
      'a limit on the number of records. `errors` lists invalid values; otherwise `detail` states the rule.',
    cure: 'Read the current state, correct the request and send it again. You can reuse its Idempotency-Key.',
  },
  unauthenticated: {
    cause:
      'Credentials are missing, wrong or expired. Sales channel keys are not valid on the registry API, and ' +
      'registry keys only there. With `error="insufficient_user_authentication"` in `WWW-Authenticate`, the ' +
      'credentials are valid but the sign-in is too old or not of the required kind.',
    cure: 'Get a new access token, or rotate the key. If the sign-in is too old, sign in again and repeat the request.',
  },
  forbidden: {
    cause:
      'The user lacks what the operation requires: a role on the sales channel or, in the account portal, an ' +
      'account holder. Browsers get this answer too when a page of another origin sends a change and the ' +
      'installation does not allow that origin.',
    cure:
      'Ask a role administrator of your sales channel for the role. The operator assigns account holders and allows ' +
      'origins.',
  },
  'sales-channel-suspended': {
    cause:
      'The operator of the installation has suspended your sales channel. You can still read everything and revoke ' +
      'access. All other changes are refused until the operator resumes the channel.',
    cure: 'Ask the operator for the reason.',
  },
  'not-found': {
    cause: 'You have no access to a resource with this id. The answer is the same if it does not exist.',
    cure: 'Check the id, and which credentials the request uses.',
  },
  'route-not-found': {
    cause: 'The API does not have this path. Paths are case-sensitive and do not end with a slash.',
    cure: 'Compare the path with the contract.',
  },
  'method-not-allowed': {
    cause: 'The path does not support this method.',
    cure: 'Use a method that the `Allow` header lists.',
  },
  'request-timeout': {
    cause: 'The request did not arrive in time. The service closes the connection.',
    cure: 'Send the whole request again without pauses, with the same Idempotency-Key.',
  },
  'headers-too-large': {
    cause: 'The headers together exceed the limit.',
    cure: 'Usually the access token is too long: ask your identity provider for fewer claims.',
  },
  'payload-too-large': { cause: 'The body exceeds the limit.', cure: 'Split the request, or use an import.' },
  'unsupported-media-type': {
    cause: 'The operation does not accept this media type, character set or content encoding.',
    cure: 'Send `application/json` in UTF-8, or a type that the contract names, without a content encoding.',
  },
  'rate-limited': {
    cause:
      'You sent too many requests, have too many event streams open or imports unfinished, or too many sign-ins ' +
      'failed from your address or with your key id. Credentials that were valid before are never refused because ' +
      'of failed sign-ins by others.',
    cure: 'Wait for the seconds in `Retry-After`. If `detail` says so, close a stream or let an import finish.',
  },
  unavailable: {
    cause: 'A dependency of the service is down or overloaded.',
    cure: 'Wait for the number of seconds in `Retry-After`, then retry. Retry a POST with the same Idempotency-Key.',
  },
  internal: {
    cause: 'The service failed.',
    cure: 'Retry. Retry a POST with the same Idempotency-Key. If the error persists, send support the `requestId`.',
  },
};
