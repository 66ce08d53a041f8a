import { requestRefused, type DomainError, type FaultCode } from '@saleschannel/errors';
import { parseCertificateRef, type CertificateRef } from '@saleschannel/primitives';

/** A selection as the request has it. */
export interface SelectionText {
  /** `<issuance id>_<serial>` */
  readonly start: string;
  /** `<issuance id>_<serial>` */
  readonly end: string;
}

/** An inclusive range of certificates of one issuance, which may not exist. */
export interface Selection {
  readonly issuanceId: string;
  readonly first: bigint;
  readonly last: bigint;
  /** As in the request, because leading zeros are part of a serial. */
  readonly firstText: string;
  readonly lastText: string;
}

/** A certificate, by issuance and serial. */
export interface Certificate {
  readonly issuanceId: string;
  readonly serial: bigint;
}

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

/** A fault of a selection. */
export interface Fault {
  /** Index of the selection in the request. */
  readonly index: number;
  readonly field: 'start' | 'end';
  readonly code: SelectionFaultCode;
  readonly detail: string;
}

/** Refuses a request with the faults of its `assets`. */
export const refuseSelections = (faults: readonly Fault[]): DomainError =>
  requestRefused(
    'The selections cannot be carried out.',
    faults.map(({ index, field, code, detail }) => ({ pointer: `#/assets/${index}/${field}`, code, detail })),
  );

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Issuance ids are UUIDs (RFC 9562) in lower case. Other text names no issuance. */
export const isIssuanceId = (text: string): boolean => UUID.test(text);

/** Parses `<issuance id>_<serial>`. Undefined for other text. */
export function parseCertificate(text: string): CertificateRef | undefined {
  const reference = parseCertificateRef(text);
  return reference && { issuanceId: reference.issuanceId.toLowerCase(), serial: reference.serial };
}

const MALFORMED = {
  code: 'serial-form',
  detail: 'Expected <issuance id>_<serial>, the serial of 1 to 38 digits.',
} as const;

export function parseSelections(texts: readonly SelectionText[]): { selections: Selection[] } | { faults: Fault[] } {
  const selections: Selection[] = [];
  const faults: Fault[] = [];
  texts.forEach((text, index) => {
    const [start, end] = [parseCertificate(text.start), parseCertificate(text.end)];
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

/** Lists the distinct issuances of the selections. Malformed selections name none. */
export const listIssuanceIds = (texts: readonly SelectionText[]): string[] => [
  ...new Set(texts.flatMap(({ start }) => parseCertificate(start)?.issuanceId ?? [])),
];

/** First certificate of each selection. */
export const listStarts = (selections: readonly Selection[]): Certificate[] =>
  selections.map(({ issuanceId, first }) => ({ issuanceId, serial: first }));

/** Finds selections that end before they start, and selections that overlap. */
export function findSelectionFaults(selections: readonly Selection[]): Fault[] {
  const faults: Fault[] = selections.flatMap(({ first, last }, index) =>
    last < first ? [{ index, field: 'end', code: 'selection-order', detail: 'The end is before the start.' }] : [],
  );
  const sorted = selections
    .map((selection, index) => ({ selection, index }))
    .sort(
      (a, b) =>
        compare(a.selection.issuanceId, b.selection.issuanceId) ||
        compare(a.selection.first, b.selection.first) ||
        a.index - b.index,
    );
  // The preceding selection that ends last.
  let furthest: Selection | undefined;
  for (const { selection, index } of sorted) {
    const isSameIssuance = furthest?.issuanceId === selection.issuanceId;
    if (furthest && isSameIssuance && selection.first <= furthest.last) {
      const detail = 'The selection overlaps another selection of the request.';
      faults.push({ index, field: 'start', code: 'selection-overlap', detail });
    }
    if (!furthest || !isSameIssuance || selection.last > furthest.last) furthest = selection;
  }
  return faults;
}

const compare = <T extends string | bigint>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);
