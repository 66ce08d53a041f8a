import { useState } from 'react';
import { formatNumber } from '../../../shared/format/numbers.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { Page } from '../../../shared/ui/page.tsx';
import { Empty, Loading, Read } from '../../../shared/ui/state.tsx';
import { hasChannelRole, useMe } from '../../me.ts';
import styles from '../../portal.module.css';
import { LatestTransactions } from '../../transactions/latest.tsx';
import { Attention } from '../../transactions/tasks.tsx';
import { WebhookBanners } from '../../webhooks/banner.tsx';
import { groupSums, listLastMonths, useSums, layOutSegments, type GroupBy } from './sums.ts';

const text = translate({
  title: 'Overview',
  volumes: 'Volumes of the last twelve months',
  volumesAbout: 'Certificates of completed transactions, by date of creation (UTC).',
  byMonth: 'By month, t',
  byVintage: 'By vintage, t',
  byMethodology: 'By methodology, t',
  month: 'Month',
  vintage: 'Vintage',
  methodology: 'Methodology',
  traded: 'Traded',
  retired: 'Retired',
  offramped: 'Offramped',
  all: 'All',
  noVolumes: 'No completed transactions in the last twelve months.',
});

interface Bars {
  readonly key: string;
  readonly volumes: readonly bigint[];
  readonly volume: bigint;
}

interface BarChartProps {
  readonly title: string;
  /** Header of the key column, such as month or vintage. */
  readonly keyName: string;
  /** Names of the bar segments, in order. */
  readonly series: readonly string[];
  readonly total: string;
  readonly groups: readonly Bars[];
}

const seriesClass = (index: number): string | undefined => styles[`series${index}`];

/** Segments are dark, grey and hollow, so they work in print and without colour vision. */
function Bar({ group, largest }: { readonly group: Bars; readonly largest: bigint }) {
  return (
    <svg className={styles['bar']} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      {layOutSegments(group.volumes, largest).map(
        ({ from, width }, index) =>
          width > 0 && <rect key={index} className={seriesClass(index)} x={from} y="0.5" width={width} height="9" />,
      )}
    </svg>
  );
}

/** Bar chart in a table with the same numbers, for screen readers, print and themes. */
function BarChart({ title, keyName, series, total, groups }: BarChartProps) {
  const largest = groups.reduce((most, { volume }) => (volume > most ? volume : most), 1n);
  return (
    <div className={styles['scroll']} role="region" aria-label={title} tabIndex={0}>
      <table className={styles['chart']}>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{keyName}</th>
            <td className={styles['drawing']} />
            {series.map((name, index) => (
              <th key={name} scope="col" className={styles['end']}>
                <svg className={styles['mark']} viewBox="0 0 10 10" aria-hidden="true">
                  <rect className={seriesClass(index)} x="0.5" y="0.5" width="9" height="9" />
                </svg>
                {name}
              </th>
            ))}
            <th scope="col" className={styles['end']}>
              {total}
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={group.key}>
              <th scope="row">{group.key}</th>
              <td className={styles['drawing']}>
                <Bar group={group} largest={largest} />
              </td>
              {group.volumes.map((volume, index) => (
                <td
                  key={series[index]}
                  className={[styles['end'], volume === 0n && styles['zero']].filter(Boolean).join(' ')}
                >
                  {formatNumber(volume)}
                </td>
              ))}
              <td className={styles['end']}>{formatNumber(group.volume)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface SumsProps {
  readonly by: GroupBy;
  readonly title: string;
  readonly keyName: string;
  /** Keys shown even without volume. */
  readonly keys?: readonly string[];
}

function Sums({ by, title, keyName, keys = [] }: SumsProps) {
  return (
    <Read of={useSums(by)}>
      {(sums) =>
        sums.length === 0 ? (
          <Empty>{text.noVolumes}</Empty>
        ) : (
          <BarChart
            title={title}
            keyName={keyName}
            series={[text.traded, text.retired, text.offramped]}
            total={text.all}
            groups={groupSums(sums, keys)}
          />
        )
      }
    </Read>
  );
}

function Volumes() {
  const [months] = useState(() => listLastMonths(Date.now()));
  return (
    <section>
      <h2>{text.volumes}</h2>
      <p>{text.volumesAbout}</p>
      <Sums by="month" title={text.byMonth} keyName={text.month} keys={months} />
      <div className={styles['charts']}>
        <Sums by="vintage" title={text.byVintage} keyName={text.vintage} />
        <Sums by="methodologyCode" title={text.byMethodology} keyName={text.methodology} />
      </div>
    </section>
  );
}

export default function ChannelPage() {
  const { data: me } = useMe();
  if (!me) return <Loading />;
  const mayRead = hasChannelRole(me, 'TRANSACTION_ADMINISTRATOR');
  return (
    <Page title={text.title}>
      <WebhookBanners />
      <Attention />
      {mayRead && <LatestTransactions />}
      {mayRead && <Volumes />}
    </Page>
  );
}
