export { certificateId, certificateIdLead, type CertificateIdParts } from './certificate-id.ts';
export { csvHeader, csvRow, type CsvColumns } from './csv.ts';
export { canonicalText, requestFingerprint, stableHash } from './hashes.ts';
export { isId, lowestIdAt, newId, timeOfId } from './id.ts';
export { hashSecret, isWellFormedSecret, newSecret, secretsEqual, type SecretPrefix } from './key-secret.ts';
export {
  MAX_UNIT_PRICE,
  parseUnitPrice,
  totalPrice,
  toUnitPrice,
  UNIT_PRICE_FRACTION_DIGITS,
  type UnitPrice,
  type UnitPriceFault,
} from './money.ts';
export {
  formatCertificateRef,
  formatSerial,
  isOldForm,
  MAX_SERIAL_DIGITS,
  parseCertificateRef,
  rangeVolume,
  serialFormOf,
  type CertificateRef,
  type SerialFault,
  type SerialForm,
  type SerialRange,
} from './serial.ts';
export { isoInstant, oneCalendarYearAfter, parseInstant, systemClock, type Clock, type Instant } from './time.ts';
