export { SalesChannel, type SalesChannelOptions } from './client.ts';
export type { AccessTokens, Credentials } from './credentials.ts';
export {
  ApiError,
  ConnectionError,
  ForbiddenError,
  FreshSignInRequiredError,
  IdempotencyKeyReusedError,
  InternalError,
  isOutcomeUnknown,
  NotFoundError,
  NotModifiedError,
  RateLimitedError,
  RequestRefusedError,
  SalesChannelError,
  SuspendedError,
  TimeoutError,
  UnauthenticatedError,
  UnavailableError,
  ValidationError,
} from './errors.ts';
export type { Events, IterateOptions, PositionedEvent } from './events.ts';
export { sandboxKinds } from './gen/sandbox-kinds.ts';
export { formatDecimal as decimalOf } from './json.ts';
export { TaskFailedError, type TaskHandle, type TransferKind, type WaitOptions } from './transfers.ts';
export { NoPlanError, type OldestRequest } from './transfers.ts';
export type * from './types.ts';
export {
  verifyWebhook,
  WebhookVerificationError,
  type VerifyOptions,
  type WebhookFault,
  type WebhookMessage,
} from './webhooks.ts';
