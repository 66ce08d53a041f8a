export {
  env,
  EnvironmentError,
  toHostedEnvironment,
  readHostedValues,
  toHostedVariable,
  readEnvironment,
  type Environment,
  type Values,
  type Variable,
} from './environment.ts';
export { FairShare, type FairShareOptions } from './fair-share.ts';
export { Batcher } from './batcher.ts';
export type { ItemOptions, BatchItem, BatcherLimits, Refusal } from './batcher-options.ts';
export { runAsService } from './work-context.ts';
export { createHttpApp, httpEnvironment, type HttpAppOptions } from './http-server.ts';
export { createJob, type JobOptions } from './job.ts';
export { createLogger, logLevels, secretNames, silentLogger, type Logger, type LogLevel } from './logger.ts';
export { createReadiness, UsabilityCheck, type Probe } from './readiness.ts';
export { recentSignInEnvironment } from './service.ts';
export { SECURITY_TXT, SECURITY_TXT_TYPE, securityContactEnvironment, formatSecurityTxt } from './http-server.ts';
export {
  composeApp,
  processEnvironment,
  runService,
  sandboxEnvironment,
  sequence,
  drainTogether,
  type App,
  type Migration,
  type Part,
  type ServiceDefinition,
} from './service.ts';
export { countBySalesChannel } from './metrics.ts';
export {
  countCacheUse,
  createStageLag,
  durationHistogram,
  meter,
  type CacheUse,
  type Counter,
  type Histogram,
  type ObservableGauge,
  type ObservableResult,
} from './metrics.ts';
export { unlessAborted } from './work-context.ts';
export { currentLimit, runWithin, type WorkLimit } from './work-context.ts';
export {
  currentTraceparent,
  markFailed,
  openSpan,
  registerTracing,
  readTraceIds,
  withSpan,
  type Span,
} from './tracing.ts';
export { startTelemetry, type TelemetryOptions } from './telemetry.ts';
