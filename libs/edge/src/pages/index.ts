export { CookieJar } from './cookies.ts';
export { html, Html, sandboxBanner as sandboxBand } from './html.ts';
export type { OidcClient } from './oidc.ts';
export { requireOwnPage } from './own-page.ts';
export {
  notFoundHandler as nothingHere,
  requestRecentSignIn as refuseOldSignIn,
  toRequestFault as requestFault,
  getRequestId as requestIdOf,
  sendError,
} from './problem.ts';
export { parsePublicUrl as publicUrlOf } from './public-url.ts';
export { requireSession } from './require-session.ts';
export {
  recordRateLimited,
  recordSecurityEvent as recordSecurity,
  toSecurityActor as securityActor,
} from './security-entry.ts';
export { SessionRecords } from './session-records.ts';
export type { Session, Sessions } from './sessions.ts';
export { createSite, createSiteApp, type Site } from './site.ts';
export { Upstream, type PublicReply } from './upstream.ts';
export { pageRoutes, WebFiles } from './web-files.ts';
export { createExpress } from './web-server.ts';
