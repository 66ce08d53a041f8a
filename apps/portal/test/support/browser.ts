/** Ample for a sign-in. */
const STEPS_AT_MOST = 14;

export interface Cookie {
  readonly name: string;
  readonly value: string;
  /** Attributes in lower case: `httponly`, `samesite=strict`. */
  readonly attributes: readonly string[];
}

export interface Visit {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface SendOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const NEXT_PAGE = /http-equiv="refresh" content="0;url=([^"]+)"/;

const unescaped = (text: string): string =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code))).replaceAll('&amp;', '&');

/** Headers of a request of a page of the same site. */
export const fromOwnPage = { 'sec-fetch-site': 'same-origin', 'x-portal': '1' } as const;

/** Minimal browser: cookies per origin, redirects, forms and automatic refreshes. */
export class Browser {
  readonly #jars = new Map<string, Map<string, Cookie>>();

  /** Cookies of the site of an address, by name. */
  cookies(url: string): Map<string, Cookie> {
    const { origin } = new URL(url);
    const jar = this.#jars.get(origin) ?? new Map<string, Cookie>();
    this.#jars.set(origin, jar);
    return jar;
  }

  /** Cookie header for the site of an address. */
  cookieFor(url: string): string {
    return [...this.cookies(url).values()].map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  /** Sends one request, with the cookies of its site. */
  async send(url: string, { method = 'GET', headers = {}, body }: SendOptions = {}): Promise<Response> {
    const jar = this.cookies(url);
    const cookie = this.cookieFor(url);
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
      ...(body === undefined ? {} : { body }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ');
      const name = pair.slice(0, pair.indexOf('='));
      const kept = attributes.map((attribute) => attribute.toLowerCase());
      if (kept.includes('max-age=0')) jar.delete(name);
      else jar.set(name, { name, value: pair.slice(name.length + 1), attributes: kept });
    }
    return response;
  }

  /** Follows redirects and refreshes, and signs in if asked. */
  async visit(url: string, account: string): Promise<Visit> {
    let at = url;
    let response = await this.send(at);
    for (let step = 0; step < STEPS_AT_MOST; step++) {
      const location = response.headers.get('location');
      const text = location === null ? await response.text() : '';
      const next = location ?? NEXT_PAGE.exec(text)?.[1];
      if (next !== undefined) {
        at = new URL(unescaped(next), at).href;
        response = await this.send(at);
        continue;
      }
      const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1];
      const prompt = /name="prompt" value="([^"]+)"/.exec(text)?.[1];
      if (action === undefined || prompt === undefined) {
        return { url: at, status: response.status, headers: response.headers, text };
      }
      at = new URL(unescaped(action), at).href;
      response = await this.send(at, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ prompt, login: account, password: 'any' }).toString(),
      });
    }
    throw new Error('too many redirects');
  }
}
