import { perSecond, ratio, type DashboardSpec } from './panels.ts';

/** RabbitMQ and the queues. */
export const broker: DashboardSpec = {
  name: 'broker',
  title: 'Broker',
  about: 'RabbitMQ nodes, alarms, memory, disk and queues.',
  rows: [
    {
      title: 'Nodes',
      panels: [
        {
          title: 'Nodes',
          unit: 'short',
          kind: 'stat',
          width: 6,
          lines: [['count(rabbitmq_build_info)', '']],
          alert: 'BrokerMemberMissing',
        },
        {
          title: 'Alarms',
          unit: 'short',
          kind: 'stat',
          width: 6,
          limits: [1, 1],
          lines: [
            [
              'sum(rabbitmq_alarms_memory_used_watermark) + sum(rabbitmq_alarms_free_disk_space_watermark)',
              'memory and disk',
            ],
          ],
          alert: 'BrokerAlarm',
        },
        {
          title: 'Connections',
          unit: 'short',
          kind: 'stat',
          width: 6,
          lines: [['sum(rabbitmq_connections)', '']],
        },
        { title: 'Queues', unit: 'short', kind: 'stat', width: 6, lines: [['sum(rabbitmq_queues)', '']] },
        {
          title: 'Memory used, share of the limit',
          unit: 'percentunit',
          max: 1,
          limits: [0.7, 0.9],
          lines: [
            [
              ratio(
                'max by (instance) (rabbitmq_process_resident_memory_bytes)',
                'max by (instance) (rabbitmq_resident_memory_limit_bytes)',
              ),
              '{{instance}}',
            ],
          ],
          alert: 'BrokerAlarm',
        },
        {
          title: 'Free disk space',
          unit: 'bytes',
          lines: [
            ['min by (instance) (rabbitmq_disk_space_available_bytes)', '{{instance}}'],
            ['max by (instance) (rabbitmq_disk_space_available_limit_bytes)', '{{instance}} limit'],
          ],
          alert: 'BrokerDiskLow',
        },
      ],
    },
    {
      title: 'Messages',
      panels: [
        {
          title: 'Queue depth',
          unit: 'short',
          limits: [500, 1000],
          lines: [['max by (queue) (saleschannel_queue_depth{queue!~".*dead-letters"})', '{{queue}}']],
          alert: 'QueueGrows',
        },
        {
          title: 'Dead letters',
          unit: 'short',
          limits: [1, 10],
          lines: [['max by (queue) (saleschannel_queue_depth{queue=~".*dead-letters"})', '{{queue}}']],
          alert: 'DeadLetters',
        },
        {
          title: 'All messages in the broker',
          unit: 'short',
          lines: [
            ['sum(rabbitmq_queue_messages_ready)', 'ready'],
            ['sum(rabbitmq_queue_messages_unacked)', 'unacknowledged'],
          ],
        },
        {
          title: 'Messages published and confirmed by outbox relays',
          unit: 'cps',
          lines: [perSecond('messaging_client_sent_messages_total', 'service_name')],
          alert: 'OutboxRelayStuck',
        },
        {
          title: 'Messages received, delivered and acknowledged',
          unit: 'cps',
          lines: [
            ['sum(rate(rabbitmq_global_messages_received_total[$__rate_interval]))', 'received'],
            ['sum(rate(rabbitmq_global_messages_delivered_total[$__rate_interval]))', 'delivered'],
            ['sum(rate(rabbitmq_global_messages_acknowledged_total[$__rate_interval]))', 'acknowledged'],
            ['sum(rate(rabbitmq_global_messages_redelivered_total[$__rate_interval]))', 'redelivered'],
          ],
        },
        {
          title: 'Consumers',
          unit: 'short',
          lines: [['sum(rabbitmq_global_consumers)', 'consumers']],
        },
      ],
    },
  ],
};
