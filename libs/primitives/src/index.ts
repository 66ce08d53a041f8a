export { isId, newId } from './id.ts';
export {
  MAX_SERIAL_DIGITS,
  formatCertificateRef,
  formatSerial,
  parseCertificateRef,
  parseSerial,
  rangeVolume,
  rangesOverlap,
  serialFormOf,
} from './serial.ts';
export type { CertificateRef, SerialForm, SerialRange } from './serial.ts';
export { certificateId, parseCertificateId } from './certificate-id.ts';
export type { CertificateIdParts } from './certificate-id.ts';
export { MAX_UNIT_PRICE, UNIT_PRICE_FRACTION_DIGITS, totalPrice, unitPriceFromJson } from './money.ts';
export type { PricedVolume } from './money.ts';
export { requestFingerprint } from './fingerprint.ts';
export { oneCalendarYearAfter, systemClock } from './clock.ts';
export type { Clock } from './clock.ts';
export { hashSecret, isWellFormedSecret, newSecret, secretsEqual } from './key-secret.ts';
export type { SecretPrefix } from './key-secret.ts';
