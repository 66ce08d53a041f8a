import { perSecond, ratio, type DashboardSpec } from './panels.ts';

const OF = '{service_name=~"$service"}';
const REPLICA = 'service_name, instance';
const NAMED = '{{service_name}} {{instance}}';

/** Node processes by replica. */
export const nodeRuntime: DashboardSpec = {
  name: 'node-runtime',
  title: 'Node runtime',
  about: 'Event loop, heap, garbage collection and CPU of each replica.',
  variable: { name: 'service', label: 'Service', query: 'label_values(target_info, service_name)', all: true },
  rows: [
    {
      title: 'Event loop',
      panels: [
        {
          title: 'Delay, p99',
          unit: 's',
          limits: [0.05, 0.1],
          lines: [[`max by (${REPLICA}) (nodejs_eventloop_delay_p99_seconds${OF})`, NAMED]],
          about: 'An idle loop shows about 10 ms, which is the sampling interval.',
          alert: 'EventLoopLags',
        },
        {
          title: 'Delay, median',
          unit: 's',
          lines: [[`max by (${REPLICA}) (nodejs_eventloop_delay_p50_seconds${OF})`, NAMED]],
        },
        {
          title: 'Utilization',
          unit: 'percentunit',
          max: 1,
          limits: [0.7, 0.9],
          lines: [[`max by (${REPLICA}) (nodejs_eventloop_utilization_ratio${OF})`, NAMED]],
          alert: 'EventLoopBusy',
        },
        {
          title: 'CPU',
          unit: 'percentunit',
          lines: [perSecond(`process_cpu_time_seconds_total${OF}`, `${REPLICA}, cpu_mode`, `${NAMED} {{cpu_mode}}`)],
          about: 'Share of one core.',
        },
      ],
    },
    {
      title: 'Memory',
      panels: [
        {
          title: 'Heap used, share of the limit',
          unit: 'percentunit',
          max: 1,
          limits: [0.7, 0.85],
          lines: [
            [
              ratio(
                `sum by (${REPLICA}) (v8js_memory_heap_used_bytes${OF})`,
                `max by (${REPLICA}) (saleschannel_heap_limit_bytes${OF})`,
              ),
              NAMED,
            ],
          ],
          alert: 'HeapNearlyFull',
        },
        {
          title: 'Resident memory',
          unit: 'bytes',
          lines: [[`max by (${REPLICA}) (process_memory_usage_bytes${OF})`, NAMED]],
        },
        {
          title: 'Heap used by space',
          unit: 'bytes',
          stacked: true,
          lines: [[`sum by (v8js_heap_space_name) (v8js_memory_heap_used_bytes${OF})`, '{{v8js_heap_space_name}}']],
        },
        {
          title: 'Time in garbage collection',
          unit: 'percentunit',
          lines: [
            perSecond(
              `v8js_gc_duration_seconds_sum${OF}`,
              'service_name, v8js_gc_type',
              '{{service_name}} {{v8js_gc_type}}',
            ),
          ],
        },
      ],
    },
    {
      title: 'Process',
      panels: [
        {
          title: 'Uptime',
          unit: 's',
          lines: [[`max by (${REPLICA}) (process_uptime_seconds${OF})`, NAMED]],
          alert: 'ServiceRestarts',
        },
        {
          title: 'Active resources in the event loop',
          unit: 'short',
          lines: [[`sum by (v8js_resource_type) (v8js_resource_active${OF})`, '{{v8js_resource_type}}']],
        },
      ],
    },
  ],
};
