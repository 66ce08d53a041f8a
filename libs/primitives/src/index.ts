export {
  formatCertificateId as certificateId,
  formatCertificateIdPrefix as certificateIdLead,
  type CertificateIdParts,
} from './certificate-id.ts';
export { formatCsvHeader as csvHeader, formatCsvRow as csvRow, type CsvColumns } from './csv.ts';
export { toCanonicalText as canonicalText, fingerprintRequest as requestFingerprint, stableHash } from './hashes.ts';
export { isId, lowestIdAt, newId, timeOfId } from './id.ts';
export { hashSecret, isWellFormedSecret, newSecret, secretsEqual, type SecretPrefix } from './key-secret.ts';
export {
  MAX_UNIT_PRICE,
  parseUnitPrice,
  computeTotalPrice as totalPrice,
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
  countCertificates as rangeVolume,
  deriveSerialForm as serialFormOf,
  type CertificateRef,
  type SerialFault,
  type SerialForm,
  type SerialRange,
} from './serial.ts';
export {
  formatInstant as isoInstant,
  addCalendarYear as oneCalendarYearAfter,
  parseInstant,
  systemClock,
  type Clock,
  type Instant,
} from './time.ts';
