/** Serials exceed the range of a number and have leading zeros. */
const SPLIT = /^(.*)_(\d+)$/;

/** Serial of a certificate id `<issuance id>_<serial>`, without leading zeros. Other texts are returned unchanged. */
export const extractSerial = (certificate: string): string => {
  const [, , serial] = SPLIT.exec(certificate) ?? [];
  return serial === undefined ? certificate : BigInt(serial).toString();
};

/** Issuance of a certificate id. Undefined if the id is invalid. */
export const issuanceOf = (certificate: string): string | undefined => SPLIT.exec(certificate)?.[1];

const SERIAL_SHOWN = 9;

/** Last digits of a long serial, in which serials of one issuance differ: `…000000101`. */
export const shortenSerial = (certificate: string): string => {
  const serial = extractSerial(certificate);
  return serial.length <= SERIAL_SHOWN + 3 ? serial : `…${serial.slice(-SERIAL_SHOWN)}`;
};

/** Exact sum of volumes. */
export const sumVolumes = (volumes: Iterable<number | string | bigint>): bigint => {
  let total = 0n;
  for (const volume of volumes) total += BigInt(volume);
  return total;
};

/** Shortens a long id in the middle: `c9f2…41ab`. */
export const shortenId = (id: string): string => (id.length <= 14 ? id : `${id.slice(0, 6)}…${id.slice(-6)}`);
