import { perSecond, quantiles, type DashboardSpec, type PanelSpec } from './panels.ts';

const stage = (name: string, title: string, about: string): PanelSpec => ({
  title,
  unit: 's',
  width: 8,
  limits: [2, 10],
  lines: quantiles('saleschannel_stage_lag_seconds', '', `{stage="${name}"}`),
  about,
  alert: 'StageSlow',
});

const outbox = (service: string): PanelSpec => ({
  title: `Outbox of ${service}: age of the oldest message`,
  unit: 's',
  width: 8,
  limits: [5, 30],
  lines: [[`max(saleschannel_outbox_lag_seconds{service_name="${service}"})`, service]],
  alert: 'OutboxRelayStuck',
});

const queues = (title: string, pattern: string): PanelSpec => ({
  title,
  unit: 'short',
  width: 8,
  limits: [500, 1000],
  lines: [[`max by (queue) (saleschannel_queue_depth{queue=~"${pattern}",queue!~".*dead-letters"})`, '{{queue}}']],
  alert: 'QueueGrows',
});

/** Path of a trade: gateway, tasks, outbox, broker, ledger, outbox, broker, tasks and event log, webhooks. */
export const trade: DashboardSpec = {
  name: 'trade',
  title: 'Trade path',
  about: 'Duration and backlog of each hop of a trade.',
  rows: [
    {
      title: 'End to end',
      panels: [
        {
          title: 'Task duration, from request to outcome',
          unit: 's',
          width: 8,
          limits: [2, 10],
          lines: quantiles('saleschannel_task_duration_seconds'),
        },
        {
          title: 'Duration by stage, p95',
          unit: 's',
          width: 8,
          lines: quantiles('saleschannel_stage_lag_seconds', 'stage', '', [0.95]),
          about: 'settle: task → ledger. task: ledger → outcome. event: ledger → log. webhook: log → first attempt.',
          alert: 'StageSlow',
        },
        {
          title: 'Tasks',
          unit: 'cps',
          width: 8,
          lines: [
            ['sum(rate(saleschannel_tasks_created_total[$__rate_interval]))', 'accepted'],
            perSecond('saleschannel_tasks_ended_total', 'status'),
            ['sum(rate(saleschannel_transfers_not_admitted_total[$__rate_interval]))', 'rejected with 503'],
          ],
          alert: 'TransfersTurnedAway',
        },
      ],
    },
    {
      title: '1 · Accept: gateway and tasks',
      panels: [
        {
          title: 'Duration of the request that starts a transfer, p95',
          unit: 's',
          width: 8,
          limits: [0.5, 1],
          lines: quantiles(
            'http_server_request_duration_seconds',
            'saleschannel_operation',
            '{saleschannel_operation=~"start(Trade|Retirement|Offramp)"}',
            [0.95],
          ),
        },
        {
          title: 'Tasks waiting for the ledger',
          unit: 'short',
          width: 8,
          limits: [100, 500],
          lines: [['max(saleschannel_tasks_waiting)', 'waiting']],
          alert: 'TasksWait',
        },
        outbox('tasks'),
      ],
    },
    {
      title: '2 · Settle: broker and ledger',
      panels: [
        queues('Transfers in the broker', '.*transfers.*'),
        stage('settle', 'Task → ledger', 'From the creation of the task until the ledger processes it.'),
        {
          title: 'Duration of a ledger batch',
          unit: 's',
          width: 8,
          lines: quantiles('messaging_process_duration_seconds', '', '{messaging_destination_name=~".*transfers.*"}'),
        },
      ],
    },
    {
      title: '3 · Record: outcomes and events',
      panels: [
        outbox('inventory'),
        queues('Outcomes and events in the broker', '.*outcomes|.*events.log'),
        {
          title: 'Handled entries',
          unit: 'cps',
          width: 8,
          lines: [perSecond('saleschannel_messages_handled_total', 'queue')],
        },
        stage('task', 'Ledger → outcome of the task', "From the ledger's commit until clients can read the outcome."),
        stage('event', 'Ledger → event log', "From the ledger's commit until clients can read the event."),
        stage('webhook', 'Event log → webhook', 'From the readable event until the first delivery attempt.'),
      ],
    },
    {
      title: '4 · Deliver: webhooks',
      panels: [
        {
          title: 'Delivery attempts by outcome',
          unit: 'cps',
          width: 8,
          lines: [perSecond('saleschannel_webhook_attempts_total', 'outcome')],
          alert: 'WebhooksFail',
        },
        {
          title: 'Duration of a delivery attempt, p95',
          unit: 's',
          width: 8,
          lines: quantiles('saleschannel_webhook_attempt_duration_seconds', 'outcome', '', [0.95]),
        },
        {
          title: 'Webhook lag',
          unit: 's',
          width: 8,
          limits: [30, 60],
          lines: [['max(saleschannel_webhook_lag_seconds)', 'lag']],
          alert: 'WebhooksBehind',
        },
      ],
    },
    {
      title: 'Expected to be empty',
      panels: [
        {
          title: 'Dead letters',
          unit: 'short',
          width: 8,
          limits: [1, 10],
          lines: [['max by (queue) (saleschannel_queue_depth{queue=~".*dead-letters"})', '{{queue}}']],
          alert: 'DeadLetters',
        },
        {
          title: 'Deferred, unknown and dead-lettered messages',
          unit: 'cps',
          width: 8,
          lines: [
            perSecond('saleschannel_messages_deferred_total', 'queue', '{{queue}} deferred'),
            perSecond('saleschannel_messages_unknown_total', 'queue', '{{queue}} unknown'),
            perSecond('saleschannel_messages_dead_lettered_total', 'queue', '{{queue}} dead-lettered'),
          ],
          alert: 'EntriesPutOff',
        },
        {
          title: 'Reconciliation: lag of consumers',
          unit: 's',
          width: 8,
          limits: [60, 300],
          lines: [
            ['max by (consumer) (saleschannel_reconciliation_lag_seconds)', '{{consumer}} lag'],
            [
              'max by (consumer) (saleschannel_reconciliation_beyond_ledger_entries)',
              '{{consumer}} entries missing from the ledger',
            ],
          ],
          alert: 'ConsumerLags',
        },
      ],
    },
  ],
};
