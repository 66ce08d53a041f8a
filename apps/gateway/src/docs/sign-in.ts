/** How people sign in to try operations on the page of the contract: a public client, by code with PKCE. */
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
 * Undefined where nobody signs in there.
 * @throws Error when only a part of it is set
 */
export function docsSignInOf(settings: DocsSettings): DocsSignIn | undefined {
  const { DOCS_CLIENT_ID: clientId, DOCS_AUTHORIZATION_URL: authorizationUrl, DOCS_EXCHANGE_URL: tokenUrl } = settings;
  if (clientId !== undefined && authorizationUrl !== undefined && tokenUrl !== undefined)
    return { clientId, authorizationUrl, tokenUrl, scopes: settings.DOCS_SCOPES };
  if ([clientId, authorizationUrl, tokenUrl].some((each) => each !== undefined))
    throw new Error('DOCS_CLIENT_ID, DOCS_AUTHORIZATION_URL and DOCS_EXCHANGE_URL are set together, or none of them');
  return undefined;
}
