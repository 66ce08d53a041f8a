import { parseCertificateRef } from '@saleschannel/primitives';
import type { Fault, Selection } from './bundle-book.ts';

export interface SelectionText {
  /** `<issuance id>_<serial>` */
  readonly start: string;
  readonly end: string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SERIAL = /^\d{1,38}$/;

interface Reference {
  issuanceId: string;
  serial: string;
}

function read(text: string): Reference | undefined {
  try {
    const { issuanceId, serial } = parseCertificateRef(text);
    return SERIAL.test(serial) ? { issuanceId: issuanceId.toLowerCase(), serial } : undefined;
  } catch {
    return undefined;
  }
}

/** Reads selections as they were written; whether they name certificates that exist is for the book to say. */
export function readSelections(texts: readonly SelectionText[]): { selections: Selection[] } | { faults: Fault[] } {
  const faults: Fault[] = [];
  const selections = texts.map((text, index): Selection => {
    const start = read(text.start);
    const end = read(text.end);
    const malformed = 'Expected <issuance id>_<serial>, the serial of 1 to 38 digits.';
    if (!start) faults.push({ index, field: 'start', code: 'serial-form', detail: malformed });
    if (!end) faults.push({ index, field: 'end', code: 'serial-form', detail: malformed });
    if (start && end && start.issuanceId !== end.issuanceId) {
      faults.push({ index, field: 'end', code: 'serial-form', detail: 'Start and end name different issuances.' });
    }
    const firstText = start?.serial ?? '0';
    const lastText = end?.serial ?? '0';
    return {
      issuanceId: start?.issuanceId ?? '',
      first: BigInt(firstText),
      last: BigInt(lastText),
      firstText,
      lastText,
    };
  });
  return faults.length > 0 ? { faults } : { selections };
}

/** Issuance ids are UUIDs (RFC 9562); a selection with any other cannot be of an issuance. */
export const canBeIssuance = (issuanceId: string): boolean => UUID.test(issuanceId);
