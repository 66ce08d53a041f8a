import { useState } from 'react';

/**
 * Draws keys for requests, the same one for the same request: what is sent again after a lost answer, even from a
 * dialog that was closed in between, is done once.
 */
export class RequestKeys {
  readonly #keys = new Map<string, string>();

  keyFor(request: object): string {
    const text = JSON.stringify(request);
    const key = this.#keys.get(text) ?? crypto.randomUUID();
    this.#keys.set(text, key);
    return key;
  }

  /** The request has its answer: the next one like it is another one. */
  answered(request: object): void {
    this.#keys.delete(JSON.stringify(request));
  }
}

export const useRequestKeys = (): RequestKeys => useState(() => new RequestKeys())[0];
