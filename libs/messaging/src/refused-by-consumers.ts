/** A part of a message that one consumer will never handle, with the reason. */
export interface RefusedPart {
  /** The queue's name on the broker. */
  readonly queue: string;
  readonly content: Buffer;
  readonly reason: string;
}

/** All consumers are done with a message, but refused these parts, which would be dead letters on RabbitMQ. */
export class RefusedByConsumersError extends Error {
  override name = 'RefusedByConsumersError';
  readonly parts: readonly RefusedPart[];

  constructor(parts: readonly RefusedPart[]) {
    super(parts.map(({ queue, reason }) => `${queue}: ${reason}`).join('; '));
    this.parts = parts;
  }

  /** Returns an envelope of the refused entries, each once, or the whole body if a part is not an envelope. */
  toRefusedBody(whole: string): string {
    const entries = new Set<string>();
    try {
      for (const { content } of this.parts) {
        const envelope = JSON.parse(content.toString()) as { entries: unknown[] };
        for (const entry of envelope.entries) entries.add(JSON.stringify(entry));
      }
    } catch {
      return whole;
    }
    return `{"entries":[${[...entries].join(',')}]}`;
  }
}
