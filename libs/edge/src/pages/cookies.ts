import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';

/** Browsers reject cookies above 4096 bytes, including name and attributes. */
const PIECE_CHARACTERS = 3_800;
/** More would exceed the header limits of usual proxies. */
const PIECES_AT_MOST = 5;

export interface CookieOptions {
  readonly sameSite: 'strict' | 'lax';
  readonly maxAgeSeconds: number;
}

/**
 * Cookies of one application: HttpOnly, and over HTTPS `__Host-` and Secure. Over plain HTTP, which is allowed on
 * loopback addresses only, they have neither: Safari rejects Secure cookies there, and some Chromium versions prefixed
 * ones.
 */
export class CookieJar {
  readonly #prefix: string;
  readonly #isSecure: boolean;

  /**
   * @param options.application prefix of names: cookies are not per port, and applications may share a host
   * @param options.isSecure whether browsers use HTTPS
   */
  constructor({ application, isSecure }: { readonly application: string; readonly isSecure: boolean }) {
    this.#prefix = `${isSecure ? '__Host-' : ''}${application}-`;
    this.#isSecure = isSecure;
  }

  read(request: Request, name: string): string | undefined {
    return parseCookies(request)[this.#prefix + name];
  }

  /** Reads a value that was written in pieces. Undefined if one is missing. */
  readPieces(request: Request, name: string): string | undefined {
    const cookies = parseCookies(request);
    const [count, first = ''] = splitOnce(cookies[`${this.#prefix}${name}.0`]);
    if (count === undefined || !/^[1-5]$/.test(count)) return undefined;
    let text = first;
    for (let index = 1; index < Number(count); index++) {
      const piece = cookies[`${this.#prefix}${name}.${index}`];
      if (piece === undefined) return undefined;
      text += piece;
    }
    return text;
  }

  write(response: Response, name: string, value: string, { sameSite, maxAgeSeconds }: CookieOptions): void {
    const cookie = stringifySetCookie({
      name: this.#prefix + name,
      value,
      path: '/',
      httpOnly: true,
      secure: this.#isSecure,
      sameSite,
      maxAge: maxAgeSeconds,
    });
    response.append('Set-Cookie', cookie);
  }

  /** @throws Error for a value that is too long */
  writePieces(response: Response, name: string, value: string, options: CookieOptions): void {
    const pieces: string[] = [];
    for (let at = 0; at < value.length; at += PIECE_CHARACTERS) pieces.push(value.slice(at, at + PIECE_CHARACTERS));
    if (pieces.length > PIECES_AT_MOST)
      throw new Error(`A value of ${value.length} characters is too long for cookies.`);
    for (let index = 0; index < PIECES_AT_MOST; index++) {
      const piece = pieces[index];
      // The first piece starts with the number of pieces, so that stale ones after it are ignored.
      if (piece === undefined) this.clear(response, `${name}.${index}`);
      else this.write(response, `${name}.${index}`, index === 0 ? `${pieces.length}~${piece}` : piece, options);
    }
  }

  clear(response: Response, name: string): void {
    this.write(response, name, 'gone', { sameSite: 'strict', maxAgeSeconds: 0 });
  }

  clearPieces(response: Response, name: string): void {
    for (let index = 0; index < PIECES_AT_MOST; index++) this.clear(response, `${name}.${index}`);
  }
}

const parseCookies = (request: Request): Record<string, string | undefined> =>
  parseCookie(request.get('Cookie') ?? ';');

function splitOnce(text: string | undefined): [string | undefined, string | undefined] {
  const at = text?.indexOf('~') ?? -1;
  return text === undefined || at < 0 ? [undefined, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
