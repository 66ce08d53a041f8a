import { perSecond, quantile, quantiles, ratio, type DashboardSpec } from './panels.ts';

const OF = 'service_name=~"$service"';
const RPC = 'rpc_server_call_duration_seconds';

/** Calls, waits and resources of services. */
export const services: DashboardSpec = {
  name: 'services',
  title: 'Services',
  about: 'Calls, replicas, resources and waits of each service.',
  variable: { name: 'service', label: 'Service', query: 'label_values(target_info, service_name)', all: true },
  rows: [
    {
      title: 'Replicas and versions',
      panels: [
        {
          title: 'Replicas',
          unit: 'short',
          width: 8,
          lines: [[`count by (service_name) (target_info{${OF}})`, '{{service_name}}']],
          alert: 'ReplicaMissing',
        },
        {
          title: 'Versions',
          unit: 'none',
          kind: 'table',
          width: 8,
          lines: [[`count by (service_name, version, commit) (saleschannel_build_info{${OF}})`, '']],
          alert: 'VersionsMixed',
        },
        {
          title: 'Uptime',
          unit: 's',
          width: 8,
          lines: [[`min by (service_name) (process_uptime_seconds{${OF}})`, '{{service_name}}']],
          alert: 'ServiceRestarts',
        },
      ],
    },
    {
      title: 'gRPC calls from other services',
      panels: [
        { title: 'RPCs', unit: 'reqps', lines: [perSecond(`${RPC}_count{${OF}}`, 'service_name')] },
        {
          title: 'Failed RPCs',
          unit: 'reqps',
          lines: [
            perSecond(
              `${RPC}_count{${OF},rpc_status_code!="OK"}`,
              'service_name, rpc_status_code',
              '{{service_name}} {{rpc_status_code}}',
            ),
          ],
          alert: 'RpcsFail',
        },
        {
          title: 'Slowest RPCs, p95',
          unit: 's',
          lines: [[`topk(10, ${quantile(0.95, RPC, 'rpc_method', `{${OF}}`)})`, '{{rpc_method}}']],
        },
        {
          title: 'Busiest RPCs',
          unit: 'reqps',
          lines: [[`topk(10, sum by (rpc_method) (rate(${RPC}_count{${OF}}[$__rate_interval])))`, '{{rpc_method}}']],
        },
      ],
    },
    {
      title: 'Resources',
      panels: [
        {
          title: 'CPU',
          unit: 'percentunit',
          lines: [perSecond(`process_cpu_time_seconds_total{${OF}}`, 'service_name')],
          about: 'Share of one core.',
        },
        {
          title: 'Resident memory',
          unit: 'bytes',
          lines: [[`max by (service_name) (process_memory_usage_bytes{${OF}})`, '{{service_name}}']],
        },
        {
          title: 'Wait for a database connection, p95',
          unit: 's',
          limits: [0.05, 1],
          lines: quantiles('db_client_connection_wait_time_seconds', 'service_name', `{${OF}}`, [0.95]),
          alert: 'PoolExhausted',
        },
        {
          title: 'Cache hit ratio',
          unit: 'percentunit',
          max: 1,
          lines: [
            [
              ratio(
                `sum by (cache) (rate(saleschannel_cache_requests_total{${OF},result="hit"}[$__rate_interval]))`,
                `sum by (cache) (rate(saleschannel_cache_requests_total{${OF}}[$__rate_interval]))`,
              ),
              '{{cache}}',
            ],
          ],
        },
        {
          title: 'Time until certificates expire',
          unit: 's',
          lines: [
            [`min by (service_name) (saleschannel_tls_certificate_remaining_seconds{${OF}})`, '{{service_name}}'],
          ],
          alert: 'CertificateEndsSoon',
        },
        {
          title: 'Lost spans',
          unit: 'cps',
          lines: [
            perSecond(
              `otel_sdk_processor_span_processed_total{${OF},error_type!=""}`,
              'service_name, error_type',
              '{{service_name}} {{error_type}}',
            ),
          ],
          alert: 'TelemetryLost',
        },
      ],
    },
  ],
};
