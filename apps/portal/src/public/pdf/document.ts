import { Document, Page, Path, StyleSheet, Svg, Text, View } from '@react-pdf/renderer';
import { createElement as make, type ReactElement } from 'react';
import { encode } from 'uqr';
import type { RetiredCertificates, Statement } from '../statement.ts';
import { countryOf, dayOf, groupsOf, kindOf, momentOf, periodOf, useOf } from '../words.ts';
import { MAIN, type Drawable, type Run } from './fonts.ts';
import type { PdfJob } from './job.ts';

/** The statement on A4, as on its page. Text of people goes through `draw` first. */

const INK = '#14201b';
const MUTED = '#55625c';
const RULE = '#d5dcd8';
const COLOURS = { valid: '#1b6e3c', invalid: '#a3261b', unknown: '#8a5a00' } as const;
const QR_POINTS = 84;
const QUIET_MODULES = 4;
const RANGES_IN_BLOCK = 25;
/** More of them take the layout minutes. The page and the JSON have all. */
const RANGES_AT_MOST = 200;

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
  note: { marginTop: 16, fontSize: 8.5, color: MUTED },
  foot: { position: 'absolute', left: 48, right: 48, bottom: 32, fontSize: 8, color: MUTED },
});

/** With spaces that its fonts have. */
const tonnes = (volume: string): string => `${groupsOf(volume).replaceAll('\u202f', '\u00a0')} t`;

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

const runOf = ({ family, text }: Run, index: number): ReactElement =>
  make(Text, { style: { fontFamily: family }, key: index }, text);

const fact = (term: string, runs: readonly Run[]): ReactElement =>
  make(
    View,
    { style: styles.fact, key: term },
    text(styles.term, term),
    make(Text, { style: styles.value }, ...runs.map(runOf)),
  );

/** What ranges of one issuance have in common. */
function aboutOf(each: RetiredCertificates): string {
  const { vintage, productionFacilityCode, countryCode, methodologyCode } = each;
  const produced = `produced ${dayOf(each.productionStartDate)} to ${dayOf(each.productionEndDate)}`;
  const place = `facility ${productionFacilityCode}, ${countryOf(countryCode)}`;
  return [`Vintage ${vintage}`, place, methodologyCode, produced, `issued ${dayOf(each.issuingDate)}`].join(' · ');
}

const lineOf = ({ certificates, volume }: RetiredCertificates): string => `${certificates}   ${tonnes(volume)}`;

/** Ranges in blocks: a block of its own for each is slow to lay out. */
function blocksOf(statement: Statement): ReactElement[] {
  const byIssuance = Object.groupBy(statement.certificates.slice(0, RANGES_AT_MOST), aboutOf);
  return Object.entries(byIssuance).flatMap(([about, ranges = []]) =>
    Array.from({ length: Math.ceil(ranges.length / RANGES_IN_BLOCK) }, (_, index) => {
      const block = ranges.slice(index * RANGES_IN_BLOCK, (index + 1) * RANGES_IN_BLOCK);
      return make(
        View,
        { style: styles.certificates, wrap: false, key: `${about} ${index}` },
        text(styles.about, about),
        ...block.map((each) => text(styles.range, lineOf(each))),
      );
    }),
  );
}

function beneficiaryOf(statement: Statement): [string, string][] {
  const { beneficiaryName, beneficiaryLocation, retirementPurpose, beneficiaryHiddenUntil } = statement;
  if (beneficiaryHiddenUntil !== null) {
    const hidden = `Hidden until ${momentOf(beneficiaryHiddenUntil)}`;
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

function signatureOf({ verdict }: PdfJob): ReactElement {
  const words = { valid: 'Signature valid', invalid: 'Signature invalid', unknown: 'Signature not checked' };
  return make(Text, { style: { color: COLOURS[verdict.state], fontWeight: 600 } }, words[verdict.state]);
}

export function statementDocument(job: PdfJob, draw: (text: string) => Drawable): ReactElement {
  const { statement, url } = job;
  const { consumptionPeriod, consumptionCountryCode, retiredAt, beneficiaryType, usageType } = statement;
  const volume = `${tonnes(statement.volume)} CO2 removed`;
  const facts = [
    ...beneficiaryOf(statement),
    ['Use', `${periodOf(consumptionPeriod)}, ${countryOf(consumptionCountryCode)}`],
    ['Kind of use', useOf(usageType)],
    ['Beneficiary is', kindOf(beneficiaryType)],
    ['Retired at', momentOf(retiredAt)],
    ['Statement', statement.id],
  ] as const;
  const drawn = facts.map(([term, value]) => ({ term, ...draw(value) }));
  const substituted = drawn.some(({ isSubstituted }) => isSubstituted)
    ? text(styles.note, '\ufffd stands for a character that this document cannot show. The page and the JSON have it.')
    : undefined;
  const rest = statement.certificates.length - RANGES_AT_MOST;
  return make(
    Document,
    {
      title: 'Retirement statement',
      subject: `${volume}, retired on ${dayOf(retiredAt)}`,
      language: 'en',
      creationDate: new Date(retiredAt),
      modificationDate: new Date(retiredAt),
    },
    make(
      Page,
      { size: 'A4', style: styles.page },
      make(
        View,
        { style: styles.top },
        make(
          View,
          { style: styles.title },
          text(styles.heading, 'Retirement statement'),
          signatureOf(job),
          text(styles.lead, `${volume}, retired on ${dayOf(retiredAt)}`),
        ),
        qrCode(url),
      ),
      ...drawn.map(({ term, runs }) => fact(term, runs)),
      text(styles.subheading, 'Certificates that were retired'),
      ...blocksOf(statement),
      rest > 0 ? text(styles.note, `${rest} more ranges stand at ${url}`) : undefined,
      text(styles.note, `A certificate stands for one tonne of CO2 removed. This copy is not signed. ${url} is.`),
      substituted,
      make(Text, {
        style: styles.foot,
        fixed: true,
        render: ({ pageNumber, totalPages }) => `${url}    ${pageNumber} of ${totalPages}`,
      }),
    ),
  );
}
