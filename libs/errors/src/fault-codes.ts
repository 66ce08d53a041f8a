/**
 * The closed list of fault codes: the `code` of each member of a problem's `errors`, and of each failed line of an
 * import. Other codes do not compile, and `npm run check` rejects a code that nothing reports. docs/integrate/errors.md
 * is generated from the causes and cures.
 */
export const faultCodes = {
  // The form of a value. Most codes are keywords of JSON Schema.
  required: { cause: 'A member, parameter or header is missing.', cure: 'Send it.' },
  'statement-published': {
    cause: 'The statement or its beneficiary has been public. It can no longer be hidden or unlisted.',
    cure: 'No action is possible.',
  },
  'unknown-member': {
    cause: 'The operation does not have this body member. It may be misspelled.',
    cure: 'Correct its name, or omit it.',
  },
  'unknown-parameter': {
    cause: 'The operation does not have this query parameter. It may be misspelled.',
    cure: 'Correct its name, or omit it.',
  },
  type: {
    cause: 'The value has the wrong JSON type, such as a string instead of a number.',
    cure: 'Send the type that the contract names.',
  },
  enum: { cause: 'The value is not one of the allowed values.', cure: 'Send a value that `detail` lists.' },
  const: {
    cause: 'The member accepts exactly one value, and this is another.',
    cure: 'Send the value that the contract names.',
  },
  pattern: {
    cause: 'The string does not match the required pattern, or contains control characters.',
    cure: 'Use the form that `detail` or the contract describes.',
  },
  format: {
    cause: 'The string is not a valid date, address or URI, or names one that does not exist.',
    cure: 'Use the form that `detail` describes. Date-times need a time zone.',
  },
  minLength: { cause: 'The string is too short.', cure: 'Send at least as many characters as `detail` says.' },
  maxLength: { cause: 'The string is too long.', cure: 'Send at most as many characters as `detail` says.' },
  minItems: { cause: 'The list has too few items.', cure: 'Send at least as many items as `detail` says.' },
  maxItems: {
    cause: 'The list has too many items.',
    cure: 'Split the request, and send each part with its own Idempotency-Key.',
  },
  uniqueItems: { cause: 'The list contains the same item twice.', cure: 'Send each item once.' },
  minProperties: {
    cause: 'The object is empty but needs at least one member.',
    cure: 'Send at least one of its members.',
  },
  maxProperties: {
    cause: 'The object has too many members.',
    cure: 'Send at most as many members as `detail` says.',
  },
  minimum: { cause: 'The number is too small.', cure: 'Send the number that `detail` names, or more.' },
  maximum: { cause: 'The number is too large.', cure: 'Send the number that `detail` names, or less.' },
  'fraction-digits': {
    cause: 'The number has too many decimal places.',
    cure: 'Round it before you send it. Prices have at most six decimal places.',
  },
  oneOf: {
    cause: 'The value matches none of the allowed forms, or more than one.',
    cure: 'Compare it with the forms in the contract.',
  },
  anyOf: { cause: 'The value matches none of the allowed forms.', cure: 'Compare it with the forms in the contract.' },
  blank: {
    cause: 'The text contains only white space and invisible characters, such as a zero-width space.',
    cure: 'Send visible text, or an empty string where the contract allows it.',
  },
  'nul-character': { cause: 'The text contains a NUL character, which cannot be stored.', cure: 'Remove it.' },
  'lone-surrogate': {
    cause: 'The text contains half of a surrogate pair, usually because it was truncated within a character.',
    cure: 'Truncate text at character boundaries, and send valid UTF-8.',
  },
  'period-order': {
    cause:
      'The end of a period is before its start. A replay of events must also end after its start and not in the ' +
      'future.',
    cure: 'Correct or swap the two times.',
  },
  invalid: { cause: 'The value is invalid for a reason that has no code of its own.', cure: 'Read `detail`.' },
  // The JSON, the query and the headers of a request.
  json: {
    cause: 'A text that must be JSON is not valid JSON. In an import, this is the line.',
    cure: 'Write valid JSON (RFC 8259).',
  },
  'malformed-json': {
    cause: 'A parameter that accepts JSON text contains invalid JSON.',
    cure: 'Send the object as percent-encoded JSON text, or in brackets: `$filter[status][eq]=PENDING`.',
  },
  'repeated-member': {
    cause: 'An object contains a member twice.',
    cure: 'Send it once. The service never chooses between duplicates.',
  },
  'inexact-number': {
    cause: 'The number has more digits than a double-precision JSON number can hold.',
    cure: 'Send fewer digits. Send serials as strings.',
  },
  'number-length': {
    cause: 'The number is written with too many characters.',
    cure: 'Write it with fewer characters.',
  },
  'too-many-members': { cause: 'An object has too many members.', cure: 'Send fewer.' },
  'too-many-values': { cause: 'The body has too many members and items in total.', cure: 'Split the request.' },
  'too-deep': { cause: 'Objects and lists are nested too deeply.', cure: 'Compare the body with the contract.' },
  'no-body': {
    cause: 'The request has a body, but the operation takes none.',
    cure: 'Send no body and no Content-Type.',
  },
  'repeated-parameter': { cause: 'A parameter or header occurs more than once.', cure: 'Send it once.' },
  encoding: {
    cause: 'The text is not percent-encoded UTF-8. In an import, the line is not UTF-8.',
    cure: 'Encode it as UTF-8.',
  },
  cursor: {
    cause: '`after`, `$after` or `from` is not a cursor of this list.',
    cure: 'Follow `Link` unchanged, or start again without a cursor.',
  },
  'offset-with-cursor': { cause: 'The request has both an offset and a cursor.', cure: 'Send one of them.' },
  'unknown-event': {
    cause: 'The stream cannot start after this event, because it is not in the log of your sales channel.',
    cure: 'Send the id of an event that you received, or `0` for the start of the log.',
  },
  reused: {
    cause: 'The Idempotency-Key belongs to an earlier, different request of this operation.',
    cure: 'Use a new key for a new request. Reuse a key only to repeat a request.',
  },
  // Selections.
  'serial-form': {
    cause: '`start` or `end` is not a certificate id, or the two name different issuances.',
    cure: 'Copy both from the inventory, in the form `<issuance id>_<serial>` with leading zeros.',
  },
  'selection-order': { cause: 'The end of a selection is before its start.', cure: 'Swap them.' },
  'selection-overlap': {
    cause: 'Two selections of one request share certificates.',
    cure: 'Select each certificate once.',
  },
  'bundle-start': {
    cause:
      'No transferable bundle of the trader starts at this certificate. The certificate is inside a bundle, was ' +
      'moved, is reserved, or has another owner.',
    cure: 'List the inventory again, and start where a listed bundle starts.',
  },
  'bundle-end': {
    cause: 'The bundle ends before the end of the selection.',
    cure: 'End within the bundle, and add another selection for the next one.',
  },
  bundle: {
    cause: 'No transferable bundle of the trader contains the first certificate.',
    cure: 'List the inventory again. Certificates may have been moved since.',
  },
  ambiguous: {
    cause:
      'A serial without an issuance matches bundles of more than one issuance. Only the previous generation has ' +
      'these serials.',
    cure: 'Use `v1`, where a certificate id includes the issuance.',
  },
  expired: {
    cause: 'The certificates have expired. Their owner keeps them, but they cannot be moved.',
    cure: 'Select others.',
  },
  'volume-unavailable': {
    cause: 'The trader has less than the requested volume.',
    cure: 'Request at most the volume that `detail` names.',
  },
  'too-many-bundles': {
    cause: 'The plan would need more selections than a request may have.',
    cure: 'Request a smaller volume.',
  },
  // Trades, retirements and offramps.
  'buyer-is-seller': { cause: 'A trader cannot buy from itself.', cure: 'Choose another trader as the buyer.' },
  'buyer-unknown': {
    cause: 'Your sales channel has no trader with this id.',
    cure: 'Use an id from the list of traders.',
  },
  'price-missing': {
    cause: 'Some selections of the retirement have a price, but this one has none.',
    cure: 'Send prices for all selections, or for none.',
  },
  'external-reference-used': {
    cause:
      'Another transfer of the sales channel has this `externalReference`. The outcome of that transfer does not ' +
      'matter.',
    cure: 'Look up the transfer by its reference. Use a new reference for a new transfer.',
  },
  'currency-missing': { cause: 'The request has prices but no currency.', cure: 'Send the currency.' },
  'embargo-differs': {
    cause: 'A retirement has two different ends of the embargo, one in `statement` and one beside it.',
    cure: 'Send one of them.',
  },
  'embargo-past': {
    cause: 'The end of the embargo is not in the future.',
    cure: 'Choose a later time. To show the beneficiary, omit the embargo, or send `null` with `PATCH`.',
  },
  'embargo-too-long': {
    cause: 'The embargo would hide the beneficiary for more than twelve months.',
    cure: 'Choose an earlier time.',
  },
  'not-onboarded': {
    cause: 'The trader was not onboarded by an accepted proposal. Only onboarded traders can offramp.',
    cure: 'Ask the account holder to submit a proposal, and accept it.',
  },
  'account-holder-suspended': {
    cause: 'The operator has suspended the account holder. None of its certificates can be moved.',
    cure: 'Ask the operator for the reason. Only the operator can resume the account holder.',
  },
  'sales-channel-suspended': {
    cause: 'The operator has suspended the sales channel. Nothing on it can be changed.',
    cure: 'Ask the operator for the reason. Only the operator can resume the sales channel.',
  },
  'sales-channel-not-suspended': {
    cause:
      'A sales channel can be closed only 30 seconds after its suspension, because requests accepted earlier may ' +
      'still be on their way to the ledger.',
    cure: 'Suspend it first, and try again at the time that `detail` names.',
  },
  'sales-channel-in-use': {
    cause: 'The sales channel has open tasks, pending transactions or listed certificates.',
    cure: 'Resume the sales channel, ask its traders to finish what `detail` lists, suspend it and try again.',
  },
  'sales-channel-closed': {
    cause: 'The operator has closed the sales channel permanently. Nothing on it can be changed.',
    cure: 'Use another sales channel. A closed sales channel never opens again.',
  },
  'name-taken': {
    cause: 'Another sales channel has this name. Names are not case-sensitive.',
    cure: 'Choose another name.',
  },
  'already-success': {
    cause: 'The transaction has succeeded and can no longer be rejected.',
    cure: 'Read the transaction. The decision is final.',
  },
  'already-failed': {
    cause: 'The transaction has failed and can no longer be approved or rejected.',
    cure: 'Read the transaction. To try again, start a new transfer.',
  },
  'already-rejected': {
    cause: 'The transaction or proposal was rejected earlier and cannot be approved or accepted.',
    cure: 'Read it. A proposal can be accepted after the account holder submits it again.',
  },
  'already-accepted': {
    cause: 'The proposal was accepted earlier and cannot be rejected: the account holder is already a trader.',
    cure: 'Read the proposal. The decision is final.',
  },
  // Keys.
  'expiry-past': { cause: 'The expiry date of the key is in the past.', cure: 'Choose a time in the future.' },
  'expiry-too-far': {
    cause: 'The expiry date of the key is more than two years ahead.',
    cure: 'Choose an earlier time, and rotate the key before then.',
  },
  issuer: {
    cause: 'This installation does not accept access tokens of this issuer.',
    cure: 'Send the `iss` claim of the access tokens exactly as it is.',
  },
  // The registry, and its imports.
  'unknown-account-holder': {
    cause: 'No account holder has this id.',
    cure: 'Create the account holder first, or correct the id.',
  },
  exclusive: {
    cause: 'The request has two members that name the same thing.',
    cure: 'Send one of them. `detail` names both.',
  },
  'unknown-sales-channel': { cause: 'No sales channel has this id.', cure: 'Correct the id.' },
  'unknown-reference': {
    cause: 'The production facility that the issuance names does not exist.',
    cure: 'Create the facility first, or correct its code.',
  },
  contradiction: {
    cause: 'An issuance with this id or these serials exists with other content.',
    cure: 'Compare it with the earlier issuance. Issuances never change.',
  },
  contradicts: {
    cause: 'The value conflicts with a member of the facility that never changes.',
    cure: 'Keep the value that `detail` names, or create another facility.',
  },
  'contradicts-stored': {
    cause: 'Another account holder has this business id, or the account holder with this id has other content.',
    cure: 'Change the account holder with `PATCH`, or correct the business id.',
  },
  trader: {
    cause: 'One service sent another a listed issuance without its trader. API clients name only the sales channel.',
    cure: 'This is an error of the service. Send support the `requestId`.',
  },
  volume: {
    cause: 'The issuance has more certificates than one issuance may have.',
    cure: 'Split it into several issuances.',
  },
  'serial-not-digits': { cause: 'A serial contains characters other than digits.', cure: 'Send only digits.' },
  'serial-too-long': { cause: 'A serial has too many digits.', cure: 'Send at most as many digits as `detail` says.' },
  'serial-width': {
    cause: 'One of two serials has leading zeros, but they differ in length.',
    cure: 'Write both with the same number of digits.',
  },
  'serial-order': { cause: 'The first serial is greater than the last one.', cure: 'Swap them.' },
  'not-allowed': {
    cause:
      'The parameter or member conflicts with the rest of the request. Example: an import of NDJSON with a type, ' +
      'because its lines have types of their own.',
    cure: 'Omit it.',
  },
  'line-too-long': {
    cause: 'A record of an import is too long. It may contain an unclosed quotation mark.',
    cure: 'Correct the file at this line.',
  },
  csv: {
    cause: 'A quotation mark is not closed, or is in a place that RFC 4180 does not allow.',
    cure: 'Quote fields that contain quotation marks, and double those marks.',
  },
  'csv-columns': {
    cause: 'The record has more or fewer fields than the header has columns.',
    cure: 'Write one field for each column.',
  },
  'unknown-column': {
    cause: 'The header names a column that records of this type do not have.',
    cure: 'Use the names that `detail` lists.',
  },
  'repeated-column': { cause: 'The header names a column twice.', cure: 'Name it once.' },
  'upload-incomplete': {
    cause: 'The upload ended before the file was complete. Nothing was applied.',
    cure: 'Send the file again.',
  },
} as const satisfies Record<string, { readonly cause: string; readonly cure: string }>;

export type FaultCode = keyof typeof faultCodes;

export const isFaultCode = (text: unknown): text is FaultCode =>
  typeof text === 'string' && Object.hasOwn(faultCodes, text);

/** A fault of a value, anywhere in a request. */
export interface FaultWording {
  readonly code: FaultCode;
  readonly detail: string;
}

/** Converts a fault code that another service sent. Unknown codes of a newer release are passed on. */
export const receivedFaultCode = (text: string): FaultCode => text as FaultCode;
