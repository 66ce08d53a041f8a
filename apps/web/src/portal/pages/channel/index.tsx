import { useState } from 'react';
import { translate } from '../../../shared/i18n/messages.ts';
import { Page } from '../../../shared/ui/page.tsx';
import { Empty, Loading, Read } from '../../../shared/ui/state.tsx';
import { hasChannelRole, useMe } from '../../me.ts';
import { Attention } from '../../transactions/attention.tsx';
import { LatestTransactions } from '../../transactions/latest.tsx';
import { WebhookBanners } from '../../webhooks/banner.tsx';
import { BarChart } from './bar-chart.tsx';
import styles from './channel.module.css';
import { groupSums, listLastMonths, useSums, type GroupBy } from './sums.ts';

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
      <div className={styles['beside']}>
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
