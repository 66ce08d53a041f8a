import { createHash, randomBytes } from 'node:crypto';
import { DOCS_CLIENT_ID } from '../../src/app.ts';

/** More redirects and forms than a sign-in needs. */
const MAX_STEPS = 12;

/** A browser, as far as a sign-in needs one: it keeps cookies and sends forms. Callers follow redirects. */
class Browser {
  readonly #cookies = new Map<string, string>();

  async open(url: string, form?: Record<string, string>): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) this.#cookies.set(name, value);
    }
    return response;
  }
}

export interface SignIn {
  /** Final address of the browser: the redirect address with its query. */
  readonly redirect: URL;
  /** The authorization code for the client. */
  readonly code: string;
  readonly codeVerifier: string;
  /** Names of the forms, in order. */
  readonly prompts: string[];
}

/**
 * Signs a person in on the provider's own pages, up to the redirect to the client.
 * @throws Error if it ends differently
 */
export async function signIn(
  issuer: string,
  account: string,
  redirectUri: string,
  extra: Record<string, string> = {},
): Promise<SignIn> {
  const codeVerifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: DOCS_CLIENT_ID,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid',
    state: 'some-state',
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...extra,
  });
  const browser = new Browser();
  const prompts: string[] = [];
  let response = await browser.open(`${issuer}/auth?${query}`);
  for (let step = 0; step < MAX_STEPS; step++) {
    const location = response.headers.get('location');
    if (location?.startsWith(redirectUri)) {
      const redirect = new URL(location);
      const code = redirect.searchParams.get('code');
      if (code === null) throw new Error(`${redirect.href} has no code.`);
      return { redirect, code, codeVerifier, prompts };
    }
    if (location !== null) {
      response = await browser.open(new URL(location, issuer).href);
      continue;
    }
    const page = await response.text();
    const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1];
    if (action === undefined || prompt === undefined)
      throw new Error(`A page with status ${response.status} has no form: ${page}`);
    prompts.push(prompt);
    response = await browser.open(new URL(action, issuer).href, { prompt, login: account, password: 'any' });
  }
  throw new Error('The sign-in does not end.');
}
