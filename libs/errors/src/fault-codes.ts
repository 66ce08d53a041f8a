/**
 * The closed list of what can be wrong with a value: the `code` of each member of a problem's `errors`, and of each
 * line of an import that failed. The types refuse another code, and `npm run check` one that nothing reports. With each
 * is what it comes from and what to do about it: docs/errors.md is made of this.
 */
export const faultCodes = {
  // The form of a value. Most are the keywords of JSON Schema.
  required: { cause: 'A member, parameter or header is missing.', cure: 'Send it.' },
  'statement-published': {
    cause: 'The statement, or its beneficiary, has been shown. It can be neither hidden nor unlisted any more.',
    cure: 'Leave it as it is.',
  },
  'unknown-member': {
    cause: 'The body has a member that the operation does not know. It may be misspelled.',
    cure: 'Write it as the contract does, or leave it out.',
  },
  'unknown-parameter': {
    cause: 'The query has a parameter that the operation does not know.',
    cure: 'Write it as the contract does, or leave it out.',
  },
  type: {
    cause: 'The value is of another JSON type, such as a text in place of a number.',
    cure: 'Send the type that the contract names.',
  },
  enum: { cause: 'The value is none of those that are allowed.', cure: 'Send one of those that `detail` lists.' },
  const: {
    cause: 'The value is not the only one that is allowed here.',
    cure: 'Send the value that the contract names.',
  },
  pattern: {
    cause: 'The text does not have the form that it must have, or holds control characters.',
    cure: 'Write it in the form that `detail` or the contract describes.',
  },
  format: {
    cause: 'The text is no date, address or URI of the kind that is asked for, or such a thing does not exist.',
    cure: 'Write it as `detail` says. Times have a time zone.',
  },
  minLength: { cause: 'The text is too short.', cure: 'Send at least as many characters as `detail` says.' },
  maxLength: { cause: 'The text is too long.', cure: 'Send at most as many characters as `detail` says.' },
  minItems: { cause: 'The list has too few items.', cure: 'Send at least as many items as `detail` says.' },
  maxItems: {
    cause: 'The list has too many items.',
    cure: 'Divide the request: each part with an Idempotency-Key of its own.',
  },
  uniqueItems: { cause: 'The list holds the same item twice.', cure: 'Send each item once.' },
  minProperties: {
    cause: 'The object is empty, though it must say something.',
    cure: 'Send at least one of its members.',
  },
  maxProperties: {
    cause: 'The object has too many members.',
    cure: 'Send at most as many members as `detail` says.',
  },
  minimum: { cause: 'The number is too small.', cure: 'Send the number that `detail` names, or more.' },
  maximum: { cause: 'The number is too large.', cure: 'Send the number that `detail` names, or less.' },
  'fraction-digits': {
    cause: 'The number has too many digits after the point.',
    cure: 'Round it before you send it. Prices have at most six.',
  },
  oneOf: {
    cause: 'The value fits none of the forms that it may have, or several.',
    cure: 'Compare it with the forms in the contract.',
  },
  anyOf: {
    cause: 'The value fits none of the forms that it may have.',
    cure: 'Compare it with the forms in the contract.',
  },
  blank: {
    cause: 'The text has only blanks and characters that nobody sees, such as a zero-width space.',
    cure: 'Send a text that shows something, or an empty one where the contract allows that.',
  },
  'nul-character': { cause: 'The text holds the character NUL, which cannot be stored.', cure: 'Remove it.' },
  'lone-surrogate': {
    cause: 'The text holds half of a surrogate pair. It was cut in the middle of a character.',
    cure: 'Cut texts by characters, and send whole UTF-8.',
  },
  'period-order': {
    cause: 'The end of a period lies before its start. For a replay of events: also at its start, or in the future.',
    cure: 'Exchange or mend the two times.',
  },
  invalid: { cause: 'The value is not valid in a way that has no code of its own.', cure: 'Read `detail`.' },
  // The JSON, the query and the headers of a request.
  json: { cause: 'A text that must be JSON is not. In an import: the line.', cure: 'Write it as RFC 8259 has it.' },
  'malformed-json': {
    cause: 'A parameter that may be written as JSON text is not valid JSON.',
    cure: 'Write the object as JSON text, percent-encoded, or in brackets: `$filter[status][eq]=PENDING`.',
  },
  'repeated-member': {
    cause: 'An object has a member twice.',
    cure: 'Send it once. Which one would count is not decided for you.',
  },
  'inexact-number': {
    cause: 'The number has more digits than a JSON number keeps in most programs.',
    cure: 'Send fewer digits. Serials are texts.',
  },
  'number-length': { cause: 'The number is written with too many characters.', cure: 'Write it shorter.' },
  'too-many-members': { cause: 'An object has too many members.', cure: 'Send fewer.' },
  'too-many-values': { cause: 'The body has too many members and items in all.', cure: 'Divide the request.' },
  'too-deep': { cause: 'Objects and lists are nested too deeply.', cure: 'Compare the body with the contract.' },
  'no-body': { cause: 'The operation takes no body, and got one.', cure: 'Send none, and no Content-Type.' },
  'repeated-parameter': { cause: 'A parameter or header is there more than once.', cure: 'Send it once.' },
  encoding: {
    cause: 'The text is not percent-encoded UTF-8. In an import: the line is not UTF-8.',
    cure: 'Encode it as UTF-8.',
  },
  cursor: {
    cause: 'There is no such page: `after`, `$after` or `from` is no cursor of this list.',
    cure: 'Follow `Link` as it is. Begin again without a cursor.',
  },
  'offset-with-cursor': { cause: 'An offset and a cursor were given together.', cure: 'Send one of them.' },
  'unknown-event': {
    cause: 'The stream of events is to begin after an event that is not in the log of your sales channel.',
    cure: 'Send the id of an event that you have got, or `0` for the beginning.',
  },
  reused: {
    cause: 'The Idempotency-Key belongs to an earlier, different request of this operation.',
    cure: 'Take a new key for a new request. Send the same one only to repeat a request.',
  },
  // Selections.
  'serial-form': {
    cause: '`start` or `end` does not have the form of a certificate id, or the two name different issuances.',
    cure: 'Take both as the inventory lists them, `<issuance id>_<serial>`, leading zeros included.',
  },
  'selection-order': { cause: 'The end of a selection lies before its start.', cure: 'Exchange them.' },
  'selection-overlap': {
    cause: 'Two selections of one request share certificates.',
    cure: 'Name each certificate once.',
  },
  'bundle-start': {
    cause:
      'No bundle of the trader that can be moved starts there. It is inside of a bundle, moved, reserved, ' +
      'or of somebody else.',
    cure: 'List the inventory again and begin where a listed bundle begins.',
  },
  'bundle-end': {
    cause: 'The bundle ends before the end of the selection.',
    cure: 'End within the bundle, and select from the next one with a selection of its own.',
  },
  bundle: {
    cause: 'No bundle of the trader that can be moved holds the first certificate.',
    cure: 'List the inventory again. Something was moved meanwhile.',
  },
  ambiguous: {
    cause: 'A bare serial fits bundles of more than one issuance. Only the previous generation has such serials.',
    cure: 'Use `v1`, where certificates are named with their issuance.',
  },
  expired: {
    cause: 'The certificates have expired: they stay with their owner, and cannot be moved.',
    cure: 'Select others.',
  },
  'volume-unavailable': {
    cause: 'A plan is asked for more than the trader has.',
    cure: 'Ask for the volume that `detail` names, or less.',
  },
  'too-many-bundles': {
    cause: 'A plan would need more selections than a request may have.',
    cure: 'Ask for less at once.',
  },
  // Trades, retirements and offramps.
  'buyer-is-seller': { cause: 'A trader cannot buy from itself.', cure: 'Name another trader as the buyer.' },
  'buyer-unknown': {
    cause: 'There is no such trader in your sales channel.',
    cure: 'Take the id from the list of traders.',
  },
  'price-missing': {
    cause: 'Some selections of a retirement have a price, and this one has none.',
    cure: 'Give prices to all selections, or to none.',
  },
  'external-reference-used': {
    cause: 'Another transfer of the sales channel has this `externalReference`, whatever became of it.',
    cure: 'Look the transfer up by its reference. A new one takes a new reference.',
  },
  'currency-missing': { cause: 'There are prices and no currency.', cure: 'Send the currency.' },
  'embargo-differs': {
    cause: 'A retirement names two different ends of the embargo, beside `statement` and in it.',
    cure: 'Send one of them.',
  },
  'embargo-past': {
    cause: 'The embargo would end at once: its end is not in the future.',
    cure: 'Choose a later time. To show the beneficiary, leave it out, or send `null` with `PATCH`.',
  },
  'embargo-too-long': {
    cause: 'The beneficiary would be hidden for more than twelve months.',
    cure: 'Choose an earlier time.',
  },
  'not-onboarded': {
    cause: 'The account holder behind it is no trader of the sales channel by an accepted proposal.',
    cure: 'Have the account holder apply, and accept the proposal. Only such traders can offramp.',
  },
  'account-holder-suspended': {
    cause: 'The operator has suspended the account holder. Nothing of it moves.',
    cure: 'Ask the operator why. Nothing else helps.',
  },
  'sales-channel-suspended': {
    cause: 'The operator has suspended the sales channel. Nothing on it changes.',
    cure: 'Ask the operator why. Nothing else helps.',
  },
  'sales-channel-not-suspended': {
    cause:
      'Only a sales channel that has been suspended for 30 seconds can be closed: what was accepted before may ' +
      'still be on its way to the ledger.',
    cure: 'Suspend it first, and try again at the time that `detail` names.',
  },
  'sales-channel-in-use': {
    cause: 'Something is open on the sales channel: tasks, transactions that wait, or certificates that are listed.',
    cure: 'Resume the sales channel, have its traders end what `detail` names, suspend it and try again.',
  },
  'sales-channel-closed': {
    cause: 'The operator has closed the sales channel for good. Nothing on it changes any more.',
    cure: 'Use another sales channel. A closed one is never opened again.',
  },
  'name-taken': {
    cause: 'Another sales channel has this name. Upper and lower case make no difference.',
    cure: 'Choose another name.',
  },
  'already-success': {
    cause: 'The transaction has succeeded, so that it cannot be rejected.',
    cure: 'Read the transaction. The decision stands.',
  },
  'already-failed': {
    cause: 'The transaction has failed, so that it cannot be approved or rejected.',
    cure: 'Read the transaction. It can only be made again.',
  },
  'already-rejected': {
    cause: 'The transaction or the proposal was rejected before, so that it cannot be approved or accepted.',
    cure: 'Read it. A proposal can be accepted after it was submitted again.',
  },
  'already-accepted': {
    cause: 'The proposal was accepted before, so that it cannot be rejected: its account holder is a trader.',
    cure: 'Read the proposal. The decision stands.',
  },
  // Keys.
  'expiry-past': { cause: 'The end of a key lies in the past.', cure: 'Choose a time that is to come.' },
  'expiry-too-far': {
    cause: 'The end of a key is more than two years ahead.',
    cure: 'Choose an earlier time, and rotate the key.',
  },
  issuer: {
    cause: 'The issuer is not the one whose access tokens this installation takes.',
    cure: 'Send the `iss` of the tokens, to the letter.',
  },
  // The registry, and its imports.
  'unknown-account-holder': {
    cause: 'There is no such account holder.',
    cure: 'Send the account holder first, or mend its id.',
  },
  exclusive: {
    cause: 'Two members that name the same thing were sent together.',
    cure: 'Send one of them. `detail` says which two.',
  },
  'unknown-sales-channel': { cause: 'There is no such sales channel.', cure: 'Mend the id of the sales channel.' },
  'unknown-reference': {
    cause: 'The issuance names a production facility that is not there.',
    cure: 'Send the facility first, or mend its code.',
  },
  contradiction: {
    cause: 'There is an issuance of this id or these serials with other content.',
    cure: 'Compare it with what was sent before. What was issued does not change.',
  },
  contradicts: {
    cause: 'The value contradicts a part of a facility that never changes.',
    cure: 'Keep what `detail` names, or make another facility.',
  },
  'contradicts-stored': {
    cause: 'Another account holder has the business id, or the same one has other content.',
    cure: 'Change the account holder with `PATCH`, or mend the business id.',
  },
  trader: {
    cause: 'A listed issuance came from one service to another without its trader. The API takes the channel alone.',
    cure: 'It is a fault of the service. Tell support the `requestId`.',
  },
  volume: { cause: 'The issuance has more certificates than one issuance may have.', cure: 'Divide it.' },
  'serial-not-digits': { cause: 'A serial has other characters than digits.', cure: 'Send digits alone.' },
  'serial-too-long': { cause: 'A serial has too many digits.', cure: 'Send at most as many as `detail` says.' },
  'serial-width': {
    cause: 'One of two serials has leading zeros, and they are not of the same length.',
    cure: 'Write both with as many digits.',
  },
  'serial-order': { cause: 'The first serial is above the last one.', cure: 'Exchange them.' },
  'not-allowed': {
    cause:
      'The parameter or member does not go with the rest of the request: in an import, the type with NDJSON, whose ' +
      'lines have types of their own.',
    cure: 'Leave it out.',
  },
  'line-too-long': {
    cause: 'A record of an import is too long. A quotation mark may not be closed.',
    cure: 'Mend the file at this line.',
  },
  csv: {
    cause: 'A quotation mark is not closed, or stands where none may stand (RFC 4180).',
    cure: 'Quote fields that hold quotation marks, and double those.',
  },
  'csv-columns': {
    cause: 'The record has more or fewer cells than the header has columns.',
    cure: 'Write as many cells as there are columns.',
  },
  'unknown-column': {
    cause: 'The header names a column that records of this type do not have.',
    cure: 'Take the names that `detail` lists.',
  },
  'repeated-column': { cause: 'The header names a column twice.', cure: 'Name it once.' },
  'upload-incomplete': {
    cause: 'The upload of the file broke off. Nothing of it was applied.',
    cure: 'Send the file again.',
  },
} as const satisfies Record<string, { readonly cause: string; readonly cure: string }>;

export type FaultCode = keyof typeof faultCodes;

export const isFaultCode = (text: unknown): text is FaultCode =>
  typeof text === 'string' && Object.hasOwn(faultCodes, text);

/** What is wrong with a value, wherever it stands. */
export interface FaultWording {
  readonly code: FaultCode;
  readonly detail: string;
}

/** The code of a fault as another service sent it. One of a newer release is told on, though nothing here knows it. */
export const receivedFaultCode = (text: string): FaultCode => text as FaultCode;
