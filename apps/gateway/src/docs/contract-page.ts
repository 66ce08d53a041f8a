import type { DocsSignIn } from './sign-in.ts';

/** Swagger UI sets styles from scripts. It loads everything from here, and asks nobody but the issuer for tokens. */
const policyOf = (signIn: DocsSignIn | undefined): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${["'self'", ...(signIn ? [new URL(signIn.tokenUrl).origin] : [])].join(' ')}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

export const docsHeadersOf = (signIn: DocsSignIn | undefined): Record<string, string> => ({
  'Content-Security-Policy': policyOf(signIn),
  'Cache-Control': 'no-cache',
});

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

/** Where the page finds the contract when people may sign in there. */
export const CONTRACT_TO_TRY = '/docs/contract.json';

/**
 * The contract with the provider in it: what takes an access token takes one that "Authorize" gets.
 * @param document as it is served to programs, which have their own ways to tokens
 */
export function contractToTry(document: Readonly<Record<string, unknown>>, signIn: DocsSignIn): object {
  const { components } = document as { components: { securitySchemes: Record<string, { scheme?: string }> } };
  const { authorizationUrl, tokenUrl } = signIn;
  const scopes = Object.fromEntries(signIn.scopes.map((scope) => [scope, 'to sign in']));
  const schemes = Object.entries(components.securitySchemes).map(([name, scheme]) => [
    name,
    scheme.scheme === 'bearer'
      ? { type: 'oauth2', flows: { authorizationCode: { authorizationUrl, tokenUrl, scopes } } }
      : scheme,
  ]);
  return { ...document, components: { ...components, securitySchemes: Object.fromEntries(schemes) as object } };
}

/** Its own file, because the policy lets no script stand in the page. */
export const startScriptOf = (signIn: DocsSignIn | undefined): string => `window.ui = SwaggerUIBundle({
  url: '${signIn ? CONTRACT_TO_TRY : '/openapi.json'}',
  dom_id: '#contract',
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
  docExpansion: 'none',
  oauth2RedirectUrl: location.origin + '${SIGNED_IN}',
});
${signIn ? signInScript(signIn) : ''}`;

const signInScript = ({ clientId, scopes }: DocsSignIn): string =>
  `window.ui.initOAuth(${JSON.stringify({ clientId, scopes, usePkceWithAuthorizationCodeGrant: true })});
`;

/** Where providers send people back to. It is registered with them. */
export const SIGNED_IN = '/docs/signed-in';

/** Where the provider sends people back to. Swagger UI's own page has its script within (swagger-ui #10559). */
export const signedInPage = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>Signed in</title>
</head>
<body>
  <script src="/docs/oauth2-redirect.js"></script>
</body>
</html>
`;
