import { Document, Page, Path, StyleSheet, Svg, Text, View } from '@react-pdf/renderer';
import { createElement as make, type ReactElement } from 'react';
import { encode } from 'uqr';
import {
  type RetiredCertificates,
  type Statement,
  formatCountry,
  formatDay,
  groupDigits,
  formatKind,
  formatMoment,
  formatPeriod,
  formatUse,
} from '../statement.ts';
import { MAIN, type Run } from './fonts.ts';
import type { PdfJob } from './printer.ts';

/** Statement on A4, with the content of its page. `draw` converts text that people entered into runs. */

const INK = '#14201b';
const MUTED = '#55625c';
const RULE = '#d5dcd8';
const COLOURS = { invalid: '#a3261b', unknown: '#8a5a00' } as const;
const QR_POINTS = 84;
const QUIET_MODULES = 4;
/** A block is not split across pages, so it must fit a page even if each line wraps. */
const RANGES_IN_BLOCK = 12;
/** Layout time is quadratic in the length of a flow. */
const RANGES_IN_FLOW = 96;
/** Limit of a transaction. Page and JSON have no limit. */
const RANGES_AT_MOST = 1_000;

const styles = StyleSheet.create({
  page: { padding: 48, paddingBottom: 64, fontFamily: MAIN, fontSize: 10, lineHeight: 1.5, color: INK },
  heading: { fontSize: 20, fontWeight: 600, lineHeight: 1.3 },
  lead: { fontSize: 14, fontWeight: 600, marginTop: 14, marginBottom: 12 },
  top: { flexDirection: 'row', justifyContent: 'space-between' },
  title: { flexGrow: 1, flexShrink: 1, paddingRight: 24 },
  fact: { flexDirection: 'row', marginBottom: 3 },
  term: { width: 96, color: MUTED },
  value: { flex: 1 },
  subheading: { fontWeight: 600, marginTop: 16, marginBottom: 4 },
  certificates: { borderTopWidth: 1, borderTopColor: RULE, paddingVertical: 4 },
  range: { fontSize: 8.5 },
  about: { fontSize: 8.5, color: MUTED },
  cut: { marginVertical: 8, color: COLOURS.unknown },
  address: { fontSize: 8.5, color: MUTED },
  note: { marginTop: 16, fontSize: 8.5, color: MUTED },
  mark: {
    position: 'absolute',
    top: 360,
    left: 0,
    right: 0,
    textAlign: 'center',
    fontSize: 96,
    lineHeight: 1,
    fontWeight: 600,
    color: COLOURS.unknown,
    opacity: 0.2,
    transform: 'rotate(-35deg)',
  },
  origin: { position: 'absolute', top: 20, left: 48, fontSize: 10, fontWeight: 600, color: COLOURS.unknown },
  foot: { position: 'absolute', left: 48, right: 48, bottom: 32, fontSize: 8, color: MUTED },
});

/** Uses spaces that the fonts have. */
const tonnes = (volume: string): string => `${groupDigits(volume).replaceAll('\u202f', '\u00a0')} t`;

const text = (style: (typeof styles)[keyof typeof styles] | undefined, content: string): ReactElement =>
  make(Text, style === undefined ? {} : { style }, content);

function qrCode(url: string): ReactElement {
  const { data, size } = encode(url, { border: 0 });
  const side = size + 2 * QUIET_MODULES;
  const squares = data.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark ? [`M${x + QUIET_MODULES} ${y + QUIET_MODULES}h1v1h-1z`] : [])),
  );
  return make(
    Svg,
    { viewBox: `0 0 ${side} ${side}`, style: { width: QR_POINTS, height: QR_POINTS } },
    make(Path, { d: squares.join(''), fill: INK }),
  );
}

const renderRun = ({ family, text }: Run, index: number): ReactElement =>
  make(Text, { style: { fontFamily: family }, key: index }, text);

const fact = (term: string, runs: readonly Run[]): ReactElement =>
  make(
    View,
    { style: styles.fact, key: term },
    text(styles.term, term),
    make(Text, { style: styles.value }, ...runs.map(renderRun)),
  );

/** Describes the common properties of ranges of one issuance. */
function describeIssuance(each: RetiredCertificates): string {
  const { vintage, productionFacilityCode, countryCode, methodologyCode } = each;
  const produced = `produced ${formatDay(each.productionStartDate)} to ${formatDay(each.productionEndDate)}`;
  const facility = `facility ${productionFacilityCode}, ${formatCountry(countryCode)}`;
  return [`Vintage ${vintage}`, facility, methodologyCode, produced, `issued ${formatDay(each.issuingDate)}`].join(
    ' · ',
  );
}

const formatRange = ({ certificates, volume }: RetiredCertificates): string => `${certificates}   ${tonnes(volume)}`;

interface Block {
  readonly element: ReactElement;
  readonly ranges: number;
}

/** Combines ranges into blocks, because single ranges are slow to lay out. */
function createBlocks(statement: Statement): Block[] {
  const byIssuance = Object.groupBy(statement.certificates.slice(0, RANGES_AT_MOST), describeIssuance);
  return Object.entries(byIssuance).flatMap(([about, ranges = []]) =>
    Array.from({ length: Math.ceil(ranges.length / RANGES_IN_BLOCK) }, (_, index) => {
      const block = ranges.slice(index * RANGES_IN_BLOCK, (index + 1) * RANGES_IN_BLOCK);
      const element = make(
        View,
        { style: styles.certificates, wrap: false, key: `${about} ${index}` },
        text(styles.about, about),
        ...block.map((each) => text(styles.range, formatRange(each))),
      );
      return { element, ranges: block.length };
    }),
  );
}

/** Distributes blocks over at least one flow of pages. */
function splitIntoFlows(blocks: readonly Block[]): ReactElement[][] {
  const flows: ReactElement[][] = [[]];
  let ranges = 0;
  for (const block of blocks) {
    if (ranges + block.ranges > RANGES_IN_FLOW) {
      flows.push([]);
      ranges = 0;
    }
    flows.at(-1)?.push(block.element);
    ranges += block.ranges;
  }
  return flows;
}

function beneficiaryFacts(statement: Statement): [string, string][] {
  const { beneficiaryName, beneficiaryLocation, retirementPurpose, beneficiaryHiddenUntil } = statement;
  if (beneficiaryHiddenUntil !== null) {
    const hidden = `Hidden until ${formatMoment(beneficiaryHiddenUntil)}`;
    return [
      ['For', hidden],
      ['Purpose', hidden],
    ];
  }
  const facts = [
    ['For', beneficiaryName],
    ['Location', beneficiaryLocation],
    ['Purpose', retirementPurpose],
  ] as const;
  return facts.flatMap(([term, value]): [string, string][] => (value === undefined ? [] : [[term, value]]));
}

/** Marks on every page, also as straight text for programs. */
const sandboxMarks = [
  make(Text, { style: styles.mark, fixed: true, key: 'mark' }, 'SANDBOX'),
  make(Text, { style: styles.origin, fixed: true, key: 'origin' }, 'Sandbox: no CO2 was removed'),
];

function renderNotice({ verdict }: PdfJob): ReactElement {
  const words = {
    valid: 'Unsigned copy',
    invalid: 'Unsigned copy of a statement with an invalid signature',
    unknown: 'Unsigned copy. The signature of the statement was not checked.',
  };
  const colour = verdict.state === 'invalid' ? COLOURS.invalid : COLOURS.unknown;
  return make(Text, { style: { color: colour, fontWeight: 600 } }, words[verdict.state]);
}

/** Uses only letters of the main font. The document has the address of the page. */
const NOT_SHOWN: readonly Run[] = [
  { family: MAIN, text: 'Not shown: the fonts lack some of its characters. The page of the statement shows it.' },
];

/** @param draw returns undefined for text that the fonts cannot show */
export function renderStatementDocument(
  statement: Statement,
  job: PdfJob,
  draw: (text: string) => readonly Run[] | undefined,
): ReactElement {
  const { url } = job;
  const { consumptionPeriod, consumptionCountryCode, retiredAt, beneficiaryType, usageType } = statement;
  const volume = `${tonnes(statement.volume)} CO2 removed`;
  const facts = [
    ...beneficiaryFacts(statement),
    ['Use', `${formatPeriod(consumptionPeriod)}, ${formatCountry(consumptionCountryCode)}`],
    ['Type of use', formatUse(usageType)],
    ['Beneficiary type', formatKind(beneficiaryType)],
    ['Retired at', formatMoment(retiredAt)],
    ['Statement', statement.id],
  ] as const;
  const drawn = facts.map(([term, value]) => ({ term, runs: draw(value) ?? NOT_SHOWN }));
  const { length } = statement.certificates;
  const isCut = length > RANGES_AT_MOST;
  const head = [
    make(
      View,
      { style: styles.top, key: 'top' },
      make(
        View,
        { style: styles.title },
        text(styles.heading, 'Retirement statement'),
        renderNotice(job),
        text(styles.lead, `${volume}, retired on ${formatDay(retiredAt)}`),
      ),
      qrCode(url),
    ),
    ...drawn.map(({ term, runs }) => fact(term, runs)),
    text(styles.subheading, 'Retired certificates'),
    isCut && text(styles.cut, `The first ${RANGES_AT_MOST} of ${length} ranges. All ranges are at ${url}`),
  ];
  const foot = [
    isCut && text(styles.cut, `${length - RANGES_AT_MOST} more ranges are at ${url}`),
    text(styles.note, 'A certificate stands for one tonne of CO2 removed. The signed statement is at'),
    text(styles.address, url),
  ];
  const flows = splitIntoFlows(createBlocks(statement));
  return make(
    Document,
    {
      title: 'Retirement statement',
      subject: `${volume}, retired on ${formatDay(retiredAt)}`,
      language: 'en',
      creationDate: new Date(retiredAt),
      modificationDate: new Date(retiredAt),
    },
    ...flows.map((flow, index) =>
      make(
        Page,
        { size: 'A4', style: styles.page, key: index },
        ...(statement.sandbox ? sandboxMarks : []),
        ...(index === 0 ? head : []),
        ...flow,
        ...(index === flows.length - 1 ? foot : []),
        make(Text, {
          style: styles.foot,
          fixed: true,
          render: ({ pageNumber, totalPages }) => `${url}    ${pageNumber} of ${totalPages}`,
        }),
      ),
    ),
  );
}
