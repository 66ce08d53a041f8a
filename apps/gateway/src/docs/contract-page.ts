import type { Values } from '@saleschannel/runtime';
import type { environment } from '../environment.ts';

/** Sign-in of the API reference: a public client with the authorization code flow and PKCE. */
export interface DocsSignIn {
  readonly clientId: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly scopes: readonly string[];
}

/** Returns undefined if the sign-in is off. @throws Error if only some of its variables are set */
export function readDocsSignIn(
  settings: Pick<Values<typeof environment>, `DOCS_${'CLIENT_ID' | 'AUTHORIZATION_URL' | 'EXCHANGE_URL' | 'SCOPES'}`>,
): DocsSignIn | undefined {
  const { DOCS_CLIENT_ID: clientId, DOCS_AUTHORIZATION_URL: authorizationUrl, DOCS_EXCHANGE_URL: tokenUrl } = settings;
  if (clientId !== undefined && authorizationUrl !== undefined && tokenUrl !== undefined)
    return { clientId, authorizationUrl, tokenUrl, scopes: settings.DOCS_SCOPES };
  if ([clientId, authorizationUrl, tokenUrl].some((each) => each !== undefined))
    throw new Error('Set all of DOCS_CLIENT_ID, DOCS_AUTHORIZATION_URL and DOCS_EXCHANGE_URL, or none of them.');
  return undefined;
}

/** Swagger UI sets styles from scripts. It calls only this server and, for tokens, the identity provider. */
const contentSecurityPolicy = (signIn: DocsSignIn | undefined): string =>
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

export const toDocsHeaders = (signIn: DocsSignIn | undefined): Record<string, string> => ({
  'Content-Security-Policy': contentSecurityPolicy(signIn),
  'Cache-Control': 'no-cache',
});

/** API reference. Its scripts and styles are under `/docs/`. */
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

/** Path of the contract that the API reference loads if it offers a sign-in. */
export const CONTRACT_WITH_SIGN_IN = '/docs/contract.json';

/** Adds the identity provider to the contract for programs, so that "Authorize" gets an access token. */
export function toContractWithSignIn(document: Readonly<Record<string, unknown>>, signIn: DocsSignIn): object {
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

/** Returns the script of the API reference. It is a separate file, because the policy allows no inline scripts. */
export const toStartScript = (signIn: DocsSignIn | undefined): string => `window.ui = SwaggerUIBundle({
  url: '${signIn ? CONTRACT_WITH_SIGN_IN : '/openapi.json'}',
  dom_id: '#contract',
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
  docExpansion: 'none',
  oauth2RedirectUrl: location.origin + '${SIGNED_IN_PATH}',
});
${signIn ? signInScript(signIn) : ''}`;

const signInScript = ({ clientId, scopes }: DocsSignIn): string =>
  `window.ui.initOAuth(${JSON.stringify({ clientId, scopes, usePkceWithAuthorizationCodeGrant: true })});
`;

/** Redirect URI, registered with the identity provider. */
export const SIGNED_IN_PATH = '/docs/signed-in';

/** Replaces Swagger UI's page, which has an inline script (swagger-ui #10559). */
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
