// Known metrics: ours from the table of README.md, and those of third parties in use.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';

// Parses PromQL with the grammar of Prometheus's own page.

interface Query {
  /** Syntax errors. */
  readonly faults: string[];
  /** Series that the query reads, with their labels. */
  readonly series: { readonly name: string; readonly labels: string[] }[];
}

/** Variables that Grafana replaces. */
const grafanaVariables: readonly [RegExp, string][] = [
  [/\$__(rate_interval|interval|range)\b/g, '5m'],
  [/\$\{?\w+\}?/g, 'x'],
];

export function readQuery(written: string): Query {
  const text = grafanaVariables.reduce((before, [pattern, value]) => before.replaceAll(pattern, value), written);
  const faults: string[] = [];
  const series: Query['series'] = [];
  parser.parse(text).iterate({
    enter(node) {
      const source = text.slice(node.from, node.to);
      if (node.type.isError) faults.push(`not PromQL near "${text.slice(Math.max(0, node.from - 20), node.to + 10)}"`);
      if (node.name === 'VectorSelector')
        series.push({ name: /^[\w:]+/.exec(source)?.[0] ?? source, labels: labelsOf(source) });
    },
  });
  return { faults, series };
}

const labelsOf = (selector: string): string[] =>
  Array.from(selector.matchAll(/\b([a-zA-Z_]\w{0,99})\s{0,9}(?:=~|!~|!=|=)\s{0,9}"/g), ([, name = '']) => name);

/** As served by RabbitMQ 3.10, postgres_exporter 0.20 with PostgreSQL 18, Prometheus 2.42 and Alertmanager 0.25. */
const ofServers = [
  'up',
  'alertmanager_notifications_failed_total',
  'otelcol_exporter_send_failed_spans_total',
  'otelcol_receiver_refused_spans_total',
  'pg_database_size_bytes',
  'pg_locks_count',
  'pg_settings_max_connections',
  'pg_stat_activity_count',
  'pg_stat_activity_max_tx_duration',
  'pg_stat_archiver_archived_count',
  'pg_stat_archiver_failed_count',
  'pg_stat_database_blks_hit',
  'pg_stat_database_blks_read',
  'pg_stat_database_conflicts',
  'pg_stat_database_deadlocks',
  'pg_stat_database_xact_commit',
  'pg_stat_database_xact_rollback',
  'pg_stat_replication_pg_wal_lsn_diff',
  'pg_up',
  'pg_wal_size_bytes',
  'prometheus_notifications_dropped_total',
  'prometheus_rule_evaluation_failures_total',
  'rabbitmq_alarms_free_disk_space_watermark',
  'rabbitmq_alarms_memory_used_watermark',
  'rabbitmq_build_info',
  'rabbitmq_connections',
  'rabbitmq_disk_space_available_bytes',
  'rabbitmq_disk_space_available_limit_bytes',
  'rabbitmq_global_consumers',
  'rabbitmq_global_messages_acknowledged_total',
  'rabbitmq_global_messages_delivered_total',
  'rabbitmq_global_messages_received_total',
  'rabbitmq_global_messages_redelivered_total',
  'rabbitmq_process_resident_memory_bytes',
  'rabbitmq_queue_messages_ready',
  'rabbitmq_queue_messages_unacked',
  'rabbitmq_queues',
  'rabbitmq_resident_memory_limit_bytes',
  'rabbitmq_unreachable_cluster_peers_count',
];
/** Metrics of optional parts: the kubelet, node_exporter, the backup job. */
const optional = [
  'cnpg_collector_last_available_backup_timestamp',
  'saleschannel_backup_wal_receiver_up',
  'kubelet_volume_stats_available_bytes',
  'kubelet_volume_stats_capacity_bytes',
  'node_filesystem_avail_bytes',
  'node_filesystem_size_bytes',
  'saleschannel_backup_last_success_timestamp_seconds',
];
const ofOthers = [...ofServers, ...optional];

const HISTOGRAM = ['_bucket', '_sum', '_count'];

const namesIn = (cell: string): string[] => Array.from(cell.matchAll(/`([a-z]\w*)`/g), ([, name = '']) => name);

/** Labels of each known series. Those of third parties are unknown. */
export function readMetrics(): Map<string, string[] | 'third-party'> {
  const served = new Map<string, string[] | 'third-party'>(ofOthers.map((name) => [name, 'third-party']));
  let labels: string[] = [];
  for (const line of readFileSync(join(import.meta.dirname, 'README.md'), 'utf8').split('\n')) {
    const [metrics, kind, labelled] = line.split(' | ').map((cell) => cell.replace(/^\| /, ''));
    if (!line.startsWith('| `') || metrics === undefined || kind === undefined || labelled === undefined) continue;
    // Parentheses contain the values of a label.
    if (labelled.trim() !== 'the same') labels = namesIn(labelled.replaceAll(/\([^()]*\)/g, ''));
    for (const name of namesIn(metrics)) {
      served.set(name, labels);
      if (kind.includes('histogram')) for (const part of HISTOGRAM) served.set(`${name}${part}`, labels);
    }
  }
  return served;
}
