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
} from './shown-text.ts';
export {
  countryCode,
  date,
  dateTime,
  emailAddress,
  id,
  MAX_ID_LENGTH,
  idempotencyKey,
  idListToFind,
  idsToFind,
  idToFind,
  isPlainText,
  isStorable,
  jsonText,
  MAX_NAME_LENGTH,
  pattern,
  period,
  PLAIN_TEXT_PATTERN,
  text,
  MAX_TEXT_LENGTH,
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
export { bound, toTimeRange, timeRange, type TimeRange } from './schemas.ts';
export { faults } from './parse.ts';
