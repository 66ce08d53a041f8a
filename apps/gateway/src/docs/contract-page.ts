/** Swagger UI sets styles from scripts. It loads everything from here and nothing from elsewhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export const docsHeaders = { 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-cache' };

/** The contract for people. Its scripts and styles are served under `/docs/`. */
export const docsPage = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Sales Channel Service</title>
  <link rel="stylesheet" href="/docs/swagger-ui.css">
  <link rel="icon" type="image/png" href="/docs/favicon-32x32.png" sizes="32x32">
</head>
<body>
  <div id="contract"></div>
  <script src="/docs/swagger-ui-bundle.js"></script>
  <script src="/docs/start.js"></script>
</body>
</html>
`;

/** Its own file, because the policy lets no script stand in the page. */
export const startScript = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#contract',
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
  docExpansion: 'none',
});
`;
