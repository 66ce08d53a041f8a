import { ValueType } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import {
  AggregationTemporality,
  DataPointType,
  InstrumentType,
  type CollectionResult,
  type MetricData,
  type ScopeMetrics,
  type SumMetricData,
} from '@opentelemetry/sdk-metrics';
import { channelCounters, type ChannelCounter } from './by-sales-channel.ts';
import { meterName, serviceOfMeter } from './metrics.ts';

/** Whoever scrapes gives up after 10 s by default. What a database or a broker does not tell in time is left out. */
const OBSERVING_MS = 5_000;

/** Units of UCUM as the compatibility specification of OpenTelemetry and Prometheus writes them out. */
const units: Readonly<Record<string, string>> = { s: 'seconds', By: 'bytes', '1': 'ratio' };

/**
 * Serves metrics for Prometheus, under the names that the compatibility specification gives them. The exporter that it
 * extends adds `_total` to them, and no units.
 */
export class ScrapedMetrics extends PrometheusExporter {
  readonly #startedAt = millisToHrTime(Date.now());
  readonly #service: string;

  /** @param service of everything that no hosted service has measured */
  constructor(service: string, host: string, port: number) {
    super({ host, port, preventServerStart: true, withoutScopeInfo: true });
    this.#service = service;
  }

  /**
   * What nobody observes any more is not told any more, such as the outbox of a replica whose relay has lost its lock.
   * Cumulative gauges would repeat their last value for ever.
   */
  override selectAggregationTemporality(type: InstrumentType): AggregationTemporality {
    return type === InstrumentType.OBSERVABLE_GAUGE ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE;
  }

  override async collect(): Promise<CollectionResult> {
    const { resourceMetrics, errors } = await super.collect({ timeoutMillis: OBSERVING_MS });
    const scopeMetrics = [...resourceMetrics.scopeMetrics, ...this.#ofSalesChannels()].map(({ scope, metrics }) => ({
      scope,
      metrics: metrics.map((metric) => withService(withUnit(metric), serviceOfMeter(scope.name) ?? this.#service)),
    }));
    return { resourceMetrics: { ...resourceMetrics, scopeMetrics }, errors };
  }

  #ofSalesChannels(): ScopeMetrics[] {
    const endTime = millisToHrTime(Date.now());
    const metricOf = ({ name, description, kind: label, read }: ChannelCounter): SumMetricData => ({
      descriptor: { name, description, unit: '', valueType: ValueType.INT },
      dataPointType: DataPointType.SUM,
      isMonotonic: true,
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
      dataPoints: read().map(({ key, kind, count }) => ({
        startTime: this.#startedAt,
        endTime,
        attributes: { sales_channel_id: key, [label]: kind },
        value: count,
      })),
    });
    return channelCounters().map((counter) => ({
      scope: { name: meterName(counter.service) },
      metrics: [metricOf(counter)],
    }));
  }
}

function withUnit<T extends MetricData>(metric: T): T {
  const { name, unit: symbol } = metric.descriptor;
  // A word in braces says what is counted, and is no unit.
  const unit = units[symbol];
  const descriptor = unit
    ? { ...metric.descriptor, unit, name: `${name}.${unit}` }
    : { ...metric.descriptor, unit: '' };
  return { ...metric, descriptor };
}

/** Which service it is stands on every sample, whoever scrapes it and however they name their jobs. */
const withService = <T extends MetricData>(metric: T, service: string): T => ({
  ...metric,
  dataPoints: metric.dataPoints.map((point) => ({
    ...point,
    attributes: { ...point.attributes, 'service.name': service },
  })),
});
