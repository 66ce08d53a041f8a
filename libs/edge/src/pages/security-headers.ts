import type { RequestHandler } from 'express';

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

export interface SecurityHeadersOptions {
  readonly publicUrl: URL;
  /** 0 omits Strict-Transport-Security. */
  readonly hstsMaxAgeSeconds: number;
  readonly reportPath: string;
}

export function createSecurityHeaders({
  publicUrl,
  hstsMaxAgeSeconds,
  reportPath,
}: SecurityHeadersOptions): RequestHandler {
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
