export { formatCertificateId, formatCertificateIdPrefix, type CertificateIdParts } from './serial.ts';
export { formatCsvHeader, formatCsvRow, type CsvColumns } from './csv.ts';
export { toCanonicalText, fingerprintRequest, stableHash } from './hashes.ts';
export { isId, lowestIdAt, newId, timeOfId } from './id.ts';
export { hashSecret, isWellFormedSecret, newSecret, secretsEqual, type SecretPrefix } from './key-secret.ts';
export {
  MAX_UNIT_PRICE,
  parseUnitPrice,
  computeTotalPrice,
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
  countCertificates,
  deriveSerialForm,
  type CertificateRef,
  type SerialFault,
  type SerialForm,
  type SerialRange,
} from './serial.ts';
export { formatInstant, addCalendarYear, parseInstant, systemClock, type Clock, type Instant } from './time.ts';
