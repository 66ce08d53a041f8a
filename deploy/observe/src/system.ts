import { perSecond, quantile, quantiles, type DashboardSpec } from './panels.ts';

const REQUESTS = 'http_server_request_duration_seconds';
/** Excludes imports, which are uploads, and streams, which last as long as their readers. */
const ANSWERS = '{saleschannel_operation!~"startImport|streamEvents"}';
const WINDOWS = ['5m', '1h', '6h', '3d'];

/** Objectives and saturation. */
export const system: DashboardSpec = {
  name: 'system',
  title: 'System',
  about: 'Health of the installation: traffic, errors, latency, saturation and objectives.',
  rows: [
    {
      title: 'Now',
      panels: [
        {
          title: 'Requests',
          unit: 'reqps',
          kind: 'stat',
          width: 4,
          lines: [[`sum(rate(${REQUESTS}_count[5m]))`, '']],
        },
        {
          title: 'Failed requests, 1 h',
          unit: 'percentunit',
          kind: 'stat',
          width: 4,
          limits: [0.001, 0.0144],
          lines: [['saleschannel:requests_failed:ratio_rate1h', '']],
          about: 'Responses with 5xx. The objective is at most 0.1 % over 30 days.',
          alert: 'AvailabilityBudgetBurnsFast',
        },
        {
          title: 'Requests slower than 1 s, 1 h',
          unit: 'percentunit',
          kind: 'stat',
          width: 4,
          limits: [0.01, 0.144],
          lines: [['saleschannel:requests_slow:ratio_rate1h', '']],
          about: 'The objective is at most 1 % over 30 days.',
          alert: 'LatencyBudgetBurnsFast',
        },
        {
          title: 'Finished tasks',
          unit: 'cps',
          kind: 'stat',
          width: 4,
          lines: [['sum(rate(saleschannel_tasks_ended_total[5m]))', '']],
        },
        {
          title: 'Waiting tasks',
          unit: 'short',
          kind: 'stat',
          width: 4,
          limits: [100, 500],
          lines: [['max(saleschannel_tasks_waiting)', '']],
          alert: 'TasksWait',
        },
        {
          title: 'Firing alerts',
          unit: 'short',
          kind: 'stat',
          width: 4,
          limits: [1, 3],
          lines: [['count(ALERTS{alertstate="firing",severity!="none"}) or vector(0)', '']],
        },
      ],
    },
    {
      title: 'Golden signals',
      panels: [
        {
          title: 'Traffic by status',
          unit: 'reqps',
          stacked: true,
          lines: [perSecond(`${REQUESTS}_count`, 'http_response_status_code')],
        },
        {
          title: 'Latency',
          unit: 's',
          limits: [0.5, 1],
          lines: quantiles(REQUESTS, '', ANSWERS),
          about: 'Excludes imports and event streams.',
        },
        {
          title: 'Failed requests by operation',
          unit: 'reqps',
          lines: [
            perSecond(
              `${REQUESTS}_count{http_response_status_code=~"5.."}`,
              'saleschannel_operation, http_response_status_code',
              '{{saleschannel_operation}} {{http_response_status_code}}',
            ),
          ],
        },
        {
          title: 'Saturation: event loop utilization',
          unit: 'percentunit',
          max: 1,
          limits: [0.7, 0.9],
          lines: [['max by (service_name) (nodejs_eventloop_utilization_ratio)', '{{service_name}}']],
          alert: 'EventLoopBusy',
        },
      ],
    },
    {
      title: 'Objectives',
      panels: [
        {
          title: 'Failed requests',
          unit: 'percentunit',
          limits: [0.001, 0.0144],
          lines: WINDOWS.map((window) => [`saleschannel:requests_failed:ratio_rate${window}`, window]),
          alert: 'AvailabilityBudgetBurnsSlowly',
        },
        {
          title: 'Slow requests',
          unit: 'percentunit',
          limits: [0.01, 0.144],
          lines: WINDOWS.map((window) => [`saleschannel:requests_slow:ratio_rate${window}`, window]),
          alert: 'LatencyBudgetBurnsSlowly',
        },
      ],
    },
    {
      title: 'Operations and rejected requests',
      panels: [
        {
          title: 'Busiest operations',
          unit: 'reqps',
          lines: [
            [
              `topk(10, sum by (saleschannel_operation) (rate(${REQUESTS}_count[$__rate_interval])))`,
              '{{saleschannel_operation}}',
            ],
          ],
        },
        {
          title: 'Slowest operations, p95',
          unit: 's',
          lines: [
            [`topk(10, ${quantile(0.95, REQUESTS, 'saleschannel_operation', ANSWERS)})`, '{{saleschannel_operation}}'],
          ],
        },
        {
          title: 'Rejected requests by reason',
          unit: 'reqps',
          stacked: true,
          lines: [perSecond('saleschannel_requests_refused_total', 'reason')],
          alert: 'SignInsRefused',
        },
        {
          title: 'Active requests and streams',
          unit: 'short',
          lines: [
            ['sum(http_server_active_requests)', 'requests'],
            ['sum(saleschannel_event_streams)', 'event streams'],
          ],
        },
        {
          title: 'Security events',
          unit: 'cps',
          lines: [perSecond('saleschannel_security_events_total', 'event')],
        },
        {
          title: 'Firing alerts by name',
          unit: 'none',
          kind: 'table',
          lines: [['sum by (alertname, severity, service_name) (ALERTS{alertstate="firing",severity!="none"})', '']],
        },
      ],
    },
  ],
};
