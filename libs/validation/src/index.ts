export { body, fault, parameters, parse, violationsOf, type Place } from './parse.ts';
export { operatorPage, reason, type OperatorPage } from './operator.ts';
export { readChannelPage, readPage, type Page } from './page.ts';
export { pointerOf, shorten } from './pointer.ts';
export { externalReference, metadata, metadataFilter, type MetadataPair } from './references.ts';
export {
  countryCode,
  date,
  dateTime,
  emailAddress,
  id,
  ID_LENGTH_AT_MOST,
  idempotencyKey,
  idListToFind,
  idsToFind,
  idToFind,
  isPlainText,
  isStorable,
  jsonText,
  name,
  NAME_LENGTH_AT_MOST,
  pattern,
  period,
  PLAIN_TEXT_PATTERN,
  text,
  TEXT_LENGTH_AT_MOST,
  unitPrice,
} from './schemas.ts';
export { bound, rangeOf, timeRange, type TimeRange } from './time-range.ts';
export { faults } from './wording.ts';
