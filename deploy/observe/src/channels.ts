import { ratio, type DashboardSpec } from './panels.ts';

const CHOSEN = '{sales_channel_id=~"$channel"}';
const REQUESTS = 'saleschannel_channel_requests_total';
const TASKS = 'saleschannel_channel_tasks_total';

/** Traffic of the busiest channels by id, and of the others together as "other". */
export const channels: DashboardSpec = {
  name: 'channels',
  title: 'Sales channels',
  about: 'Traffic by sales channel. Each replica reports its 50 busiest channels by id and all others as "other".',
  variable: {
    name: 'channel',
    label: 'Sales channel',
    query: `label_values(${REQUESTS}, sales_channel_id)`,
    all: true,
  },
  rows: [
    {
      title: 'Busiest channels',
      panels: [
        {
          title: 'Requests of the ten busiest channels',
          unit: 'reqps',
          stacked: true,
          lines: [
            [
              `topk(10, sum by (sales_channel_id) (rate(${REQUESTS}${CHOSEN}[$__rate_interval])))`,
              '{{sales_channel_id}}',
            ],
          ],
        },
        {
          title: 'Tasks of the ten busiest channels',
          unit: 'cps',
          stacked: true,
          lines: [
            [`topk(10, sum by (sales_channel_id) (rate(${TASKS}${CHOSEN}[$__rate_interval])))`, '{{sales_channel_id}}'],
          ],
        },
      ],
    },
    {
      title: 'Selected channels',
      panels: [
        {
          title: 'Requests by outcome',
          unit: 'reqps',
          lines: [[`sum by (outcome) (rate(${REQUESTS}${CHOSEN}[$__rate_interval]))`, '{{outcome}}']],
          about: 'refused: 4xx other than 429. limited: 429. failed: 5xx.',
        },
        {
          title: 'Tasks by status',
          unit: 'cps',
          lines: [[`sum by (status) (rate(${TASKS}${CHOSEN}[$__rate_interval]))`, '{{status}}']],
        },
        {
          title: 'Share of requests refused, limited or failed',
          unit: 'percentunit',
          lines: [
            [
              `topk(10, ${ratio(
                `sum by (sales_channel_id) (rate(${REQUESTS}{sales_channel_id=~"$channel",outcome!="ok"}[5m]))`,
                `sum by (sales_channel_id) (rate(${REQUESTS}${CHOSEN}[5m]))`,
              )})`,
              '{{sales_channel_id}}',
            ],
          ],
        },
        {
          title: 'Requests in the last hour',
          unit: 'short',
          kind: 'table',
          lines: [[`topk(50, sum by (sales_channel_id, outcome) (increase(${REQUESTS}${CHOSEN}[1h])))`, '']],
        },
      ],
    },
  ],
};
