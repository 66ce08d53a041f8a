import { perSecond, quantile, quantiles, type DashboardSpec } from './panels.ts';

const REQUESTS = 'http_server_request_duration_seconds';
/** Imports are uploads, and streams last as long as somebody listens. */
const ANSWERS = '{saleschannel_operation!~"startImport|streamEvents"}';
const WINDOWS = ['5m', '1h', '6h', '3d'];

/** What clients notice, and what is about to become scarce. */
export const system: DashboardSpec = {
  name: 'system',
  title: 'System',
  about: 'Is everything well, for clients and for what serves them?',
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
          title: 'Failed, 1 h',
          unit: 'percentunit',
          kind: 'stat',
          width: 4,
          limits: [0.001, 0.0144],
          lines: [['saleschannel:requests_failed:ratio_rate1h', '']],
          about: 'Answers with 5xx. The objective is 0.1 % over 30 days.',
          alert: 'AvailabilityBudgetBurnsFast',
        },
        {
          title: 'Slower than 1 s, 1 h',
          unit: 'percentunit',
          kind: 'stat',
          width: 4,
          limits: [0.01, 0.144],
          lines: [['saleschannel:requests_slow:ratio_rate1h', '']],
          about: 'The objective is 1 % over 30 days.',
          alert: 'LatencyBudgetBurnsFast',
        },
        {
          title: 'Tasks that ended',
          unit: 'cps',
          kind: 'stat',
          width: 4,
          lines: [['sum(rate(saleschannel_tasks_ended_total[5m]))', '']],
        },
        {
          title: 'Tasks that wait',
          unit: 'short',
          kind: 'stat',
          width: 4,
          limits: [100, 500],
          lines: [['max(saleschannel_tasks_waiting)', '']],
          alert: 'TasksWait',
        },
        {
          title: 'Alerts',
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
          title: 'Traffic, by status',
          unit: 'reqps',
          stacked: true,
          lines: [perSecond(`${REQUESTS}_count`, 'http_response_status_code')],
        },
        {
          title: 'Latency',
          unit: 's',
          limits: [0.5, 1],
          lines: quantiles(REQUESTS, '', ANSWERS),
          about: 'Without imports and streams of events.',
        },
        {
          title: 'Answers that failed, by operation',
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
          title: 'Saturation: how busy event loops are',
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
          title: 'Requests that failed',
          unit: 'percentunit',
          limits: [0.001, 0.0144],
          lines: WINDOWS.map((window) => [`saleschannel:requests_failed:ratio_rate${window}`, window]),
          alert: 'AvailabilityBudgetBurnsSlowly',
        },
        {
          title: 'Requests that were slow',
          unit: 'percentunit',
          limits: [0.01, 0.144],
          lines: WINDOWS.map((window) => [`saleschannel:requests_slow:ratio_rate${window}`, window]),
          alert: 'LatencyBudgetBurnsSlowly',
        },
      ],
    },
    {
      title: 'Operations and refusals',
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
          title: 'Slowest operations, 95 %',
          unit: 's',
          lines: [
            [`topk(10, ${quantile(0.95, REQUESTS, 'saleschannel_operation', ANSWERS)})`, '{{saleschannel_operation}}'],
          ],
        },
        {
          title: 'Refusals',
          unit: 'reqps',
          stacked: true,
          lines: [perSecond('saleschannel_requests_refused_total', 'reason')],
          alert: 'SignInsRefused',
        },
        {
          title: 'Under way',
          unit: 'short',
          lines: [
            ['sum(http_server_active_requests)', 'requests'],
            ['sum(saleschannel_event_streams)', 'streams of events'],
          ],
        },
        {
          title: 'What the security log tells',
          unit: 'cps',
          lines: [perSecond('saleschannel_security_events_total', 'event')],
        },
        {
          title: 'Alerts that fire',
          unit: 'none',
          kind: 'table',
          lines: [['sum by (alertname, severity, service_name) (ALERTS{alertstate="firing",severity!="none"})', '']],
        },
      ],
    },
  ],
};
