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

  constructor(host: string, port: number) {
    super({
      host,
      port,
      preventServerStart: true,
      // Which service it is stands on every sample, whoever scrapes it and however they name their jobs.
      withResourceConstantLabels: /^service\.name$/,
      withoutScopeInfo: true,
    });
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
    const scopeMetrics = [...resourceMetrics.scopeMetrics, this.#ofSalesChannels()].map(({ scope, metrics }) => ({
      scope,
      metrics: metrics.map(withUnit),
    }));
    return { resourceMetrics: { ...resourceMetrics, scopeMetrics }, errors };
  }

  #ofSalesChannels(): ScopeMetrics {
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
    return { scope: { name: 'saleschannel' }, metrics: channelCounters().map(metricOf) };
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
