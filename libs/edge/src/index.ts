export {
  discardRest,
  hasBody,
  matchMediaType,
  parseForm,
  readBytes,
  readJson,
  readText,
  refuseBody,
  type BodyLimits,
  type ByteLimits,
  type LargeBodyQueue,
} from './body.ts';
export { createGuardedServer, type GuardedServerOptions } from './http-server.ts';
export { defaultJsonLimits, parseJson, type JsonLimits } from './json.ts';
export { toNetwork } from './requests.ts';
export { pick, toAccountHolder, toImport, type AsSent } from './records.ts';
export { logFailure, readRequestId, withOwnCredentials } from './requests.ts';
export {
  SECURITY_ENTRIES_AT_MOST,
  SECURITY_WINDOW_MS,
  SecurityLog,
  type SecurityEntry,
  type SecurityEvent,
} from './security-log.ts';
export { isSignInChallenge, signInChallenge, signInDetail, type RequiredSignIn } from './refusals.ts';
export { createRefusal, throwRefusal, VIOLATIONS_AT_MOST } from './refusals.ts';
