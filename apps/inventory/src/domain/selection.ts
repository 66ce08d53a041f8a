import { requestRefused, type DomainError, type FaultCode } from '@saleschannel/errors';
import { parseCertificateRef, type CertificateRef } from '@saleschannel/primitives';

/** A selection as it was written. */
export interface SelectionText {
  /** `<issuance id>_<serial>` */
  readonly start: string;
  /** `<issuance id>_<serial>` */
  readonly end: string;
}

/** An inclusive range of certificates of one issuance. Whether they exist is for the book to say. */
export interface Selection {
  readonly issuanceId: string;
  readonly first: bigint;
  readonly last: bigint;
  /** As they were written: leading zeros belong to a serial. */
  readonly firstText: string;
  readonly lastText: string;
}

/** A certificate, by issuance and serial. */
export interface Certificate {
  readonly issuanceId: string;
  readonly serial: bigint;
}

/** What can be wrong with a selection. */
export type SelectionFaultCode = Extract<
  FaultCode,
  | 'selection-order'
  | 'selection-overlap'
  | 'bundle'
  | 'bundle-start'
  | 'bundle-end'
  | 'ambiguous'
  | 'serial-form'
  | 'expired'
>;

/** What is wrong with a selection. */
export interface Fault {
  /** The place of the selection in the request, from 0. */
  readonly index: number;
  readonly field: 'start' | 'end';
  readonly code: SelectionFaultCode;
  readonly detail: string;
}

/** The refusal of a request for the faults of its selections, the member `assets`. */
export const selectionRefused = (faults: readonly Fault[]): DomainError =>
  requestRefused(
    'The selections cannot be carried out.',
    faults.map(({ index, field, code, detail }) => ({ pointer: `#/assets/${index}/${field}`, code, detail })),
  );

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Issuance ids are UUIDs (RFC 9562) in lower case. A text of another form names no issuance. */
export const isIssuanceId = (text: string): boolean => UUID.test(text);

/** Reads `<issuance id>_<serial>`. Undefined for a text of another form. */
export function readCertificate(text: string): CertificateRef | undefined {
  const reference = parseCertificateRef(text);
  return reference && { issuanceId: reference.issuanceId.toLowerCase(), serial: reference.serial };
}

const MALFORMED = {
  code: 'serial-form',
  detail: 'Expected <issuance id>_<serial>, the serial of 1 to 38 digits.',
} as const;

/** Reads selections as they were written. */
export function readSelections(texts: readonly SelectionText[]): { selections: Selection[] } | { faults: Fault[] } {
  const selections: Selection[] = [];
  const faults: Fault[] = [];
  texts.forEach((text, index) => {
    const [start, end] = [readCertificate(text.start), readCertificate(text.end)];
    if (!start) faults.push({ index, field: 'start', ...MALFORMED });
    if (!end) faults.push({ index, field: 'end', ...MALFORMED });
    if (!start || !end) return;
    if (start.issuanceId !== end.issuanceId)
      faults.push({ index, field: 'end', code: 'serial-form', detail: 'Start and end name different issuances.' });
    const [firstText, lastText] = [start.serial, end.serial];
    selections.push({
      issuanceId: start.issuanceId,
      first: BigInt(firstText),
      last: BigInt(lastText),
      firstText,
      lastText,
    });
  });
  return faults.length > 0 ? { faults } : { selections };
}

/** The issuances that selections name, each once. One that cannot be read names none. */
export const issuancesOf = (texts: readonly SelectionText[]): string[] => [
  ...new Set(texts.flatMap(({ start }) => readCertificate(start)?.issuanceId ?? [])),
];

/** The first certificate of each selection. */
export const startsOf = (selections: readonly Selection[]): Certificate[] =>
  selections.map(({ issuanceId, first }) => ({ issuanceId, serial: first }));

/** Selections that end before they start, and selections that share certificates. */
export function faultsBetween(selections: readonly Selection[]): Fault[] {
  const faults: Fault[] = selections.flatMap(({ first, last }, index) =>
    last < first ? [{ index, field: 'end', code: 'selection-order', detail: 'The end lies before the start.' }] : [],
  );
  const sorted = selections
    .map((selection, index) => ({ selection, index }))
    .sort(
      (a, b) =>
        compare(a.selection.issuanceId, b.selection.issuanceId) ||
        compare(a.selection.first, b.selection.first) ||
        a.index - b.index,
    );
  // Of those before, the one that reaches furthest.
  let reach: Selection | undefined;
  for (const { selection, index } of sorted) {
    const isSameIssuance = reach?.issuanceId === selection.issuanceId;
    if (reach && isSameIssuance && selection.first <= reach.last) {
      const detail = 'The selection shares certificates with another one of the request.';
      faults.push({ index, field: 'start', code: 'selection-overlap', detail });
    }
    if (!reach || !isSameIssuance || selection.last > reach.last) reach = selection;
  }
  return faults;
}

const compare = <T extends string | bigint>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);
