/** Sign-in of the API reference: a public client with the authorization code flow and PKCE. */
export interface DocsSignIn {
  readonly clientId: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly scopes: readonly string[];
}

interface DocsSettings {
  readonly DOCS_CLIENT_ID: string | undefined;
  readonly DOCS_AUTHORIZATION_URL: string | undefined;
  readonly DOCS_EXCHANGE_URL: string | undefined;
  readonly DOCS_SCOPES: readonly string[];
}

/**
 * Returns undefined if the sign-in is off.
 * @throws Error if only some of its variables are set
 */
export function readDocsSignIn(settings: DocsSettings): DocsSignIn | undefined {
  const { DOCS_CLIENT_ID: clientId, DOCS_AUTHORIZATION_URL: authorizationUrl, DOCS_EXCHANGE_URL: tokenUrl } = settings;
  if (clientId !== undefined && authorizationUrl !== undefined && tokenUrl !== undefined)
    return { clientId, authorizationUrl, tokenUrl, scopes: settings.DOCS_SCOPES };
  if ([clientId, authorizationUrl, tokenUrl].some((each) => each !== undefined))
    throw new Error('Set all of DOCS_CLIENT_ID, DOCS_AUTHORIZATION_URL and DOCS_EXCHANGE_URL, or none of them.');
  return undefined;
}
