export { env, EnvironmentError, readEnvironment, type Environment, type Values, type Variable } from './environment.ts';
export { Gatherer, type Asker, type Gathered, type GathererLimits } from './gatherer.ts';
export { createJob, type JobOptions } from './job.ts';
export { createLogger, logLevels, secretNames, silentLogger, type Logger, type LogLevel } from './logger.ts';
export {
  composeApp,
  processEnvironment,
  runService,
  sandboxEnvironment,
  sequence,
  type App,
  type Migration,
  type Part,
  type ServiceDefinition,
} from './service.ts';
export {
  currentTraceparent,
  durationHistogram,
  meter,
  openSpan,
  registerTracing,
  startTelemetry,
  withSpan,
  type Counter,
  type ObservableResult,
  type TelemetryOptions,
} from './telemetry.ts';
