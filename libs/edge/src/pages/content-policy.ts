import type { RequestHandler } from 'express';
import type { Logger } from '@saleschannel/runtime';
import { z } from 'zod';
import { defaultJsonLimits, matchMediaType, readJson, type BodyLimits } from '../index.ts';

const bodyLimits: BodyLimits = { maxBytes: 16_384, timeoutMs: 20_000, json: defaultJsonLimits };
const mediaTypes = new Map(
  ['application/csp-report', 'application/reports+json', 'application/json'].map((type) => [type, true]),
);
const REPORTS_AT_ONCE = 10;
const TEXT_CHARACTERS = 300;
const MINUTE_MS = 60_000;
/** Bounded, because any client can send reports. */
const LOGGED_PER_MINUTE = 20;

/** Removes the query of a URL, which may contain private data. */
const text = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' ? value.split(/[?#]/, 1)[0]?.slice(0, TEXT_CHARACTERS) : undefined));

const legacy = z.object({
  'csp-report': z
    .object({ 'document-uri': text, 'effective-directive': text, 'blocked-uri': text, 'source-file': text })
    .transform((report) => ({
      page: report['document-uri'],
      directive: report['effective-directive'],
      blocked: report['blocked-uri'],
      source: report['source-file'],
    })),
});

const current = z.array(
  z
    .object({
      body: z.object({ documentURL: text, effectiveDirective: text, blockedURL: text, sourceFile: text }),
    })
    .transform(({ body }) => ({
      page: body.documentURL,
      directive: body.effectiveDirective,
      blocked: body.blockedURL,
      source: body.sourceFile,
    })),
);

function parseReports(body: unknown): object[] {
  const list = current.safeParse(body).data;
  if (list) return list.slice(0, REPORTS_AT_ONCE);
  const one = legacy.safeParse(body).data;
  return one ? [one['csp-report']] : [];
}

/** Logs browsers' reports about the content security policy, a bounded number. @param now in milliseconds */
export function createPolicyReportHandler(logger: Logger, now: () => number): RequestHandler {
  let minute = Number.NEGATIVE_INFINITY;
  let logged = 0;
  return async (request, response) => {
    matchMediaType(request, mediaTypes);
    const body = await readJson(request, bodyLimits);
    if (now() - minute >= MINUTE_MS) [minute, logged] = [now(), 0];
    for (const report of parseReports(body)) {
      if (logged++ < LOGGED_PER_MINUTE) logger.warn({ report }, 'a browser reports a breach of the content policy');
    }
    response.status(204).end();
  };
}

const POLICY = [
  "default-src 'none'",
  ...['script', 'style', 'img', 'font', 'connect'].map((kind) => `${kind}-src 'self'`),
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
];

/** Device features that pages do not use. */
const FEATURES = ['camera', 'geolocation', 'microphone', 'payment', 'usb', 'display-capture', 'browsing-topics'];

/** @param hstsMaxAgeSeconds 0 omits Strict-Transport-Security */
export function createSecurityHeaders(publicUrl: URL, hstsMaxAgeSeconds: number, reportPath: string): RequestHandler {
  const isSecure = publicUrl.protocol === 'https:';
  const headers = {
    'Content-Security-Policy': [...POLICY, 'report-to csp', `report-uri ${reportPath}`].join('; '),
    'Reporting-Endpoints': `csp="${publicUrl.origin}${reportPath}"`,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': FEATURES.map((feature) => `${feature}=()`).join(', '),
    ...(isSecure && hstsMaxAgeSeconds > 0 ? { 'Strict-Transport-Security': `max-age=${hstsMaxAgeSeconds}` } : {}),
  };
  return (_request, response, next) => {
    response.set(headers);
    next();
  };
}
