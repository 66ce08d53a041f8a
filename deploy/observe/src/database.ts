import { quantiles, ratio, type DashboardSpec } from './panels.ts';

const OURS = '{datname=~"saleschannel.*"}';
const HITS = `sum by (datname) (rate(pg_stat_database_blks_hit${OURS}[5m]))`;
const POOL = 'sum by (service_name, instance, db_client_connection_pool_name)';
/** From the backup job, or from CloudNativePG. */
const BACKUP = 'saleschannel_backup_last_success_timestamp_seconds or cnpg_collector_last_available_backup_timestamp';

/** PostgreSQL, from postgres_exporter and from connection pools. */
export const database: DashboardSpec = {
  name: 'database',
  title: 'Database',
  about: 'PostgreSQL sessions, transactions, locks, WAL and standbys, and connection pools of the services.',
  rows: [
    {
      title: 'Server',
      panels: [
        {
          title: 'Sessions, share of max_connections',
          unit: 'percentunit',
          max: 1,
          limits: [0.7, 0.8],
          lines: [
            [
              'sum by (instance) (pg_stat_activity_count) / max by (instance) (pg_settings_max_connections)',
              '{{instance}}',
            ],
          ],
          alert: 'DatabaseConnectionsRunOut',
        },
        {
          title: 'Sessions by database and state',
          unit: 'short',
          stacked: true,
          lines: [[`sum by (datname, state) (pg_stat_activity_count${OURS}) > 0`, '{{datname}} {{state}}']],
        },
        {
          title: 'Transactions',
          unit: 'cps',
          lines: [
            [`sum by (datname) (rate(pg_stat_database_xact_commit${OURS}[$__rate_interval]))`, '{{datname}}'],
            [`sum(rate(pg_stat_database_xact_rollback${OURS}[$__rate_interval]))`, 'rolled back'],
          ],
        },
        {
          title: 'Longest transaction',
          unit: 's',
          limits: [60, 900],
          lines: [['max by (state) (pg_stat_activity_max_tx_duration{state!="idle"})', '{{state}}']],
          alert: 'LongTransaction',
        },
        {
          title: 'Buffer cache hit ratio',
          unit: 'percentunit',
          max: 1,
          lines: [
            [ratio(HITS, `(${HITS} + sum by (datname) (rate(pg_stat_database_blks_read${OURS}[5m])))`), '{{datname}}'],
          ],
        },
        {
          title: 'Deadlocks and conflicts',
          unit: 'cps',
          lines: [
            [`sum(rate(pg_stat_database_deadlocks${OURS}[$__rate_interval]))`, 'deadlocks'],
            [`sum(rate(pg_stat_database_conflicts${OURS}[$__rate_interval]))`, 'standby conflicts'],
          ],
        },
        {
          title: 'Database size',
          unit: 'bytes',
          lines: [[`max by (datname) (pg_database_size_bytes${OURS})`, '{{datname}}']],
        },
        {
          title: 'Locks',
          unit: 'short',
          lines: [[`sum by (mode) (pg_locks_count${OURS}) > 0`, '{{mode}}']],
        },
      ],
    },
    {
      title: 'WAL, standbys and backup',
      panels: [
        {
          title: 'WAL size',
          unit: 'bytes',
          width: 8,
          lines: [['max by (instance) (pg_wal_size_bytes)', '{{instance}}']],
          alert: 'WalArchiveFails',
        },
        {
          title: 'WAL archiving',
          unit: 'cps',
          width: 8,
          lines: [
            ['sum(rate(pg_stat_archiver_archived_count[5m]))', 'archived'],
            ['sum(rate(pg_stat_archiver_failed_count[5m]))', 'failed'],
          ],
          alert: 'WalArchiveFails',
        },
        {
          title: 'Replication lag',
          unit: 'bytes',
          width: 8,
          lines: [['max by (application_name) (pg_stat_replication_pg_wal_lsn_diff)', '{{application_name}}']],
          alert: 'ReplicationLags',
        },
        {
          title: 'Age of the last backup',
          unit: 's',
          kind: 'stat',
          width: 8,
          limits: [90_000, 93_600],
          lines: [[`time() - max(${BACKUP})`, '']],
          alert: 'BackupTooOld',
        },
      ],
    },
    {
      title: 'Connection pools of services',
      panels: [
        {
          title: 'Connections in use, share of the pool',
          unit: 'percentunit',
          max: 1,
          width: 8,
          limits: [0.8, 1],
          lines: [
            [
              `max by (service_name) (${ratio(
                `${POOL} (db_client_connection_count{db_client_connection_state="used"})`,
                `${POOL} (db_client_connection_limit)`,
              )})`,
              '{{service_name}}',
            ],
          ],
          alert: 'PoolExhausted',
        },
        {
          title: 'Calls waiting for a connection',
          unit: 'short',
          width: 8,
          limits: [1, 5],
          lines: [['sum by (service_name) (db_client_connection_pending_requests)', '{{service_name}}']],
          alert: 'PoolExhausted',
        },
        {
          title: 'Wait for a connection, p99',
          unit: 's',
          width: 8,
          lines: quantiles('db_client_connection_wait_time_seconds', 'service_name', '', [0.99]),
        },
      ],
    },
  ],
};
