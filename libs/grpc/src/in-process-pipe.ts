/** Maximum bytes that wait for a slow reader, except for a single larger message. */
const WINDOW_BYTES = 64 * 1024;
/** After this many consecutive messages, other work gets a turn. */
const MESSAGES_PER_TURN = 16;

type Run = (work: () => void) => void;

/**
 * Carries messages in one direction. The reader receives them one by one, in order, and never during the write.
 * `onAccepted` is called when there is room for the next message.
 */
export class Pipe {
  readonly #deliver: (message: Buffer) => void;
  /** Runs the reader's work in its own async context. */
  readonly #run: Run;
  #messages: { readonly message: Buffer; readonly onAccepted: () => void }[] = [];
  /** Number of waiting messages, from the first on, whose `onAccepted` was called. */
  #acknowledged = 0;
  #bytes = 0;
  #isRequested = false;
  #isScheduled = false;
  #delivered = 0;
  #end: (() => void) | undefined;
  #isClosed = false;

  constructor(deliver: (message: Buffer) => void, run: Run) {
    this.#deliver = deliver;
    this.#run = run;
  }

  write(message: Buffer, onAccepted: () => void): void {
    if (this.#isClosed) return;
    this.#messages.push({ message, onAccepted });
    this.#bytes += message.length;
    this.#acknowledge();
    this.#schedule();
  }

  /** Requests one more message. */
  read(): void {
    this.#isRequested = true;
    this.#schedule();
  }

  /** Runs `last` after all messages were read. */
  end(last: () => void): void {
    this.#end ??= last;
    this.#schedule();
  }

  /** Drops unread messages. */
  close(): void {
    this.#isClosed = true;
    this.#messages = [];
    this.#end = undefined;
  }

  #acknowledge(): void {
    while (this.#acknowledged < this.#messages.length && this.#bytes <= WINDOW_BYTES) {
      const entry = this.#messages[this.#acknowledged++];
      if (entry) process.nextTick(entry.onAccepted);
    }
  }

  get #isDue(): boolean {
    return this.#messages.length > 0 ? this.#isRequested : this.#end !== undefined;
  }

  #schedule(): void {
    if (this.#isScheduled || !this.#isDue) return;
    this.#isScheduled = true;
    const next = (): void => this.#run(() => this.#deliverNext());
    if (++this.#delivered % MESSAGES_PER_TURN === 0) setImmediate(next);
    else process.nextTick(next);
  }

  #deliverNext(): void {
    this.#isScheduled = false;
    if (this.#isClosed || !this.#isDue) return;
    const entry = this.#messages.shift();
    if (!entry) {
      const end = this.#end;
      this.close();
      end?.();
      return;
    }
    this.#isRequested = false;
    this.#bytes -= entry.message.length;
    if (this.#acknowledged > 0) this.#acknowledged -= 1;
    else process.nextTick(entry.onAccepted);
    this.#acknowledge();
    this.#deliver(entry.message);
    this.#schedule();
  }
}
