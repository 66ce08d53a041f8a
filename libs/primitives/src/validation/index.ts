export { body, fault, parameters, parse, toPointer, shorten, toViolations, type LocateFault } from './parse.ts';
export {
  operatorPage,
  readChannelPage,
  readListOrder,
  readPage,
  reason,
  type ListOrder,
  type OperatorPage,
  type Page,
} from './page.ts';
export {
  externalReference,
  toStoredReferences,
  metadata,
  metadataFilter,
  referenceFilter,
  type MetadataPair,
} from './references.ts';
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
  NAME_LENGTH_AT_MOST,
  pattern,
  period,
  PLAIN_TEXT_PATTERN,
  text,
  TEXT_LENGTH_AT_MOST,
  unitPrice,
} from './schemas.ts';
export {
  businessId,
  isSameText,
  name,
  naturalKey,
  searchText,
  shownText,
  toComparisonKey,
  toShownText,
} from './shown-text.ts';
export { bound, toTimeRange, timeRange, type TimeRange } from './time-range.ts';
export { faults } from './wording.ts';
