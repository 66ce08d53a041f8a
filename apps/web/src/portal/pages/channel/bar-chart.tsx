import { formatNumber } from '../../../shared/format/numbers.ts';
import styles from './channel.module.css';
import { layOutSegments } from './sums.ts';

export interface Bars {
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
export function BarChart({ title, keyName, series, total, groups }: BarChartProps) {
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
