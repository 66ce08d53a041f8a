/** One message of a stream (WHATWG HTML, section 9.2). */
export interface ServerSentMessage {
  readonly event: string;
  readonly data: string;
}

/** Takes a stream apart as it comes, in whatever pieces. `EventSource` can send no header, which the portal wants. */
export class ServerSentParser {
  /** Where to go on after a break. Messages without data move it too. */
  lastId: string | undefined;
  /** What the server says to wait before connecting again. */
  retryMs: number | undefined;
  #rest = '';
  #id: string | undefined;
  #event = '';
  #data: string[] = [];

  /** The messages that a further piece completes. */
  push(piece: string): ServerSentMessage[] {
    const lines = (this.#rest + piece).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? String();
    return lines.flatMap((line) => (line === '' ? this.#dispatch() : this.#take(line)));
  }

  /** The next piece begins another stream. */
  restart(): void {
    this.#rest = '';
    this.#id = undefined;
    this.#event = '';
    this.#data = [];
  }

  #take(line: string): [] {
    const [, field = line, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'id' && !value.includes('\0')) this.#id = value;
    else if (field === 'event') this.#event = value;
    else if (field === 'data') this.#data.push(value);
    else if (field === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value);
    return [];
  }

  #dispatch(): ServerSentMessage[] {
    if (this.#id !== undefined) this.lastId = this.#id;
    const messages = this.#data.length === 0 ? [] : [{ event: this.#event || 'message', data: this.#data.join('\n') }];
    this.#event = '';
    this.#data = [];
    return messages;
  }
}
