import type { DomainError, ErrorCode } from '@saleschannel/errors';
import { countBySalesChannel, durationHistogram, markFailed, meter, type Span } from '@saleschannel/runtime';
import type { RequestContext } from './request-context.ts';

/** Outcome of a request in the metrics of its sales channel. */
function toOutcome(status: number): 'ok' | 'limited' | 'refused' | 'failed' {
  if (status < 400) return 'ok';
  if (status === 429) return 'limited';
  return status < 500 ? 'refused' : 'failed';
}

/** Metrics of requests, by OpenTelemetry's conventions and by sales channel. */
export class RequestMetrics {
  readonly #durations = durationHistogram('http.server.request.duration', 'Time to answer a request');
  readonly #refused = meter().createCounter('saleschannel.requests.refused', {
    description: 'Responses with a problem, by code',
  });
  readonly #ofChannel = countBySalesChannel({
    name: 'saleschannel.channel.requests',
    description: 'Requests of the busiest sales channels; all others are combined',
    kind: 'outcome',
  });
  readonly #active = new Map<string, number>();

  constructor() {
    meter()
      .createObservableUpDownCounter('http.server.active_requests', {
        unit: '{request}',
        description: 'Requests in progress',
      })
      .addCallback((result) => {
        for (const [method, count] of this.#active) result.observe(count, { 'http.request.method': method });
      });
  }

  countProblem(reason: ErrorCode, status: number): void {
    this.#refused.add(1, { reason, 'http.response.status_code': status });
  }

  /** Returns a function that starts the measurement of a request to this operation. */
  instrumentOperation(operation: string, method: string, route: string) {
    const fixed = { 'http.request.method': method, 'http.route': route, 'saleschannel.operation': operation };
    return () => {
      const started = performance.now();
      this.#active.set(method, (this.#active.get(method) ?? 0) + 1);
      return {
        /** @param error code of the problem in the answer */
        end: ({ response, salesChannelId, waitedMs }: RequestContext, error: ErrorCode | undefined): void => {
          this.#active.set(method, (this.#active.get(method) ?? 1) - 1);
          const status = response.statusCode;
          // Excludes time that the client asked to wait.
          this.#durations.record((performance.now() - started - waitedMs) / 1_000, {
            ...fixed,
            'http.response.status_code': status,
            ...(error !== undefined && status >= 500 && { 'error.type': error }),
          });
          if (salesChannelId !== undefined) this.#ofChannel(salesChannelId, toOutcome(status));
        },
      };
    };
  }
}

export function recordOutcome(span: Span, context: RequestContext, error: DomainError | undefined): void {
  const { response, requestId, salesChannelId } = context;
  const { statusCode } = response;
  span.setAttributes({
    'http.response.status_code': statusCode,
    'saleschannel.request_id': requestId,
    ...(salesChannelId !== undefined && { 'saleschannel.sales_channel_id': salesChannelId }),
    ...(error && statusCode >= 500 && { 'error.type': error.code }),
  });
  if (error && statusCode >= 500) markFailed(span, error.cause ?? error);
}
