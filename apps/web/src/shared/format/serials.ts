/** Serials are longer than a number of JavaScript holds, and come with leading zeros. */
const SPLIT = /^(.*)_(\d+)$/;

/** The serial of a certificate id `<issuance id>_<serial>`, without leading zeros. The id itself where it has none. */
export const serialOf = (certificate: string): string => {
  const [, , serial] = SPLIT.exec(certificate) ?? [];
  return serial === undefined ? certificate : BigInt(serial).toString();
};

/** The issuance of a certificate id. Undefined where it names none. */
export const issuanceOf = (certificate: string): string | undefined => SPLIT.exec(certificate)?.[1];

const SERIAL_SHOWN = 9;

/** The end of a long serial, by which those of one issuance differ: `…000000101`. */
export const shortSerial = (certificate: string): string => {
  const serial = serialOf(certificate);
  return serial.length <= SERIAL_SHOWN + 3 ? serial : `…${serial.slice(-SERIAL_SHOWN)}`;
};

/** Sum of whole volumes, without loss. */
export const sum = (volumes: Iterable<number | string | bigint>): bigint => {
  let total = 0n;
  for (const volume of volumes) total += BigInt(volume);
  return total;
};

/** A long id, so that its beginning and end can be read: `c9f2…41ab`. */
export const shortId = (id: string): string => (id.length <= 14 ? id : `${id.slice(0, 6)}…${id.slice(-6)}`);
