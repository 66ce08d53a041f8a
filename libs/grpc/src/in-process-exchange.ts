import { Metadata, status, type ServerInterceptingCallInterface, type StatusObject } from '@grpc/grpc-js';
import type { InProcessListener } from './listening.ts';

/** Maximum bytes that wait for a slow reader, except for a single larger message. */
const WINDOW_BYTES = 64 * 1024;
/** After this many consecutive messages, other work gets a turn. */
const MESSAGES_PER_TURN = 16;

type Run = (work: () => void) => void;

/**
 * Carries messages in one direction. The reader receives them one by one, in order, and never during the write.
 * `onAccepted` is called when there is room for the next message.
 */
class Pipe {
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

type ServerListener = Parameters<ServerInterceptingCallInterface['start']>[0];
type SentStatus = Parameters<ServerInterceptingCallInterface['sendStatus']>[0];
type AuthContext = ReturnType<ServerInterceptingCallInterface['getAuthContext']>;

/** A method as grpc-js stores it for a server. */
export interface ServedMethod {
  readonly path: string;
  readonly serialize: (message: unknown) => Buffer;
  readonly deserialize: (bytes: Buffer) => unknown;
}

/** Receives the server's response, in the client's async context. */
export interface ResponseListener {
  onMetadata(metadata: Metadata): void;
  onMessage(message: Buffer): void;
  onStatus(status: StatusObject): void;
}

export interface ExchangeOptions {
  readonly listener: InProcessListener;
  readonly method: ServedMethod;
  readonly metadata: Metadata;
  readonly deadline: number;
  readonly client: ResponseListener;
  readonly runInClient: (work: () => void) => void;
}

/** Maximum message size in both directions. Fits a batch of 1,000 selections, and limits memory. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** Marks a call of this process. It is compared by identity, so no call over a socket can have it. */
const fromThisProcess: AuthContext = Object.freeze({ transportSecurityType: 'in-process' });
export const isFromThisProcess = (context: AuthContext): boolean => context === fromThisProcess;

const toTooLargeStatus = ({ length }: Buffer): { code: status; details: string } => ({
  code: status.RESOURCE_EXHAUSTED,
  details: `Received message larger than max (${length} vs. ${MAX_MESSAGE_BYTES})`,
});

const noCallRecorder = {} as ReturnType<ServerInterceptingCallInterface['getMetricsRecorder']>;

/**
 * One attempt of a call, in place of an HTTP/2 stream. Messages are passed encoded, so the two sides share no object.
 * The client uses `write`, `halfClose`, `read` and `cancel`; the server uses the rest.
 */
export class Exchange implements ServerInterceptingCallInterface {
  readonly #options: ExchangeOptions;
  readonly #requests: Pipe;
  readonly #responses: Pipe;
  #serverListener: ServerListener | undefined;
  #hasMetadata = false;
  /** Whether the server has sent its status, or the client has cancelled. */
  #isOver = false;

  constructor(options: ExchangeOptions) {
    const { listener, client, method, runInClient } = options;
    this.#options = options;
    this.#requests = new Pipe((message) => this.#receive(message), listener.runInContext);
    this.#responses = new Pipe((message) => {
      if (message.length <= MAX_MESSAGE_BYTES) return client.onMessage(message);
      this.cancel();
      client.onStatus({ ...toTooLargeStatus(message), metadata: new Metadata() });
    }, runInClient);
    listener.serve(this, method);
  }

  write(message: Buffer, onAccepted: () => void): void {
    this.#requests.write(message, onAccepted);
  }

  halfClose(): void {
    this.#requests.end(() => this.#serverListener?.onReceiveHalfClose());
  }

  read(): void {
    this.#responses.read();
  }

  /** Ends the exchange for the client. */
  cancel(): void {
    this.#responses.close();
    this.#endServer();
    this.#options.listener.release(this);
  }

  /** Ends the exchange on both sides when the server's drain time is over. */
  abandon(): void {
    this.cancel();
    const { client, runInClient } = this.#options;
    const details = 'The server has stopped';
    process.nextTick(runInClient, () =>
      client.onStatus({ code: status.UNAVAILABLE, details, metadata: new Metadata() }),
    );
  }

  start(listener: ServerListener): void {
    this.#serverListener = listener;
    listener.onReceiveMetadata(this.#options.metadata.clone());
  }

  startRead(): void {
    if (!this.#isOver) this.#requests.read();
  }

  sendMetadata(metadata: Metadata): void {
    if (this.#isOver || this.#hasMetadata) return;
    this.#hasMetadata = true;
    const sent = metadata.clone();
    const { client, runInClient } = this.#options;
    process.nextTick(runInClient, () => client.onMetadata(sent));
  }

  sendMessage(message: unknown, onAccepted: () => void): void {
    if (this.#isOver) return;
    let bytes: Buffer;
    try {
      bytes = this.#options.method.serialize(message);
    } catch {
      this.sendStatus({ code: status.INTERNAL, details: 'Error serializing response' });
      return;
    }
    this.sendMetadata(new Metadata());
    this.#responses.write(bytes, onAccepted);
  }

  sendStatus({ code, details, metadata }: SentStatus): void {
    if (this.#isOver) return;
    const sent = { code, details, metadata: metadata?.clone() ?? new Metadata() };
    const { client, listener } = this.#options;
    this.#endServer();
    this.#responses.end(() => {
      listener.release(this);
      client.onStatus(sent);
    });
  }

  getPeer = (): string => 'in-process';
  getHost = (): string => 'in-process';
  getDeadline = (): number => this.#options.deadline;
  getAuthContext = (): AuthContext => fromThisProcess;
  getConnectionInfo = (): object => ({});
  getMetricsRecorder = (): typeof noCallRecorder => noCallRecorder;

  #receive(message: Buffer): void {
    if (message.length > MAX_MESSAGE_BYTES) return this.sendStatus(toTooLargeStatus(message));
    let request: unknown;
    try {
      request = this.#options.method.deserialize(message);
    } catch {
      return this.sendStatus({ code: status.INTERNAL, details: 'Error deserializing request' });
    }
    this.#serverListener?.onReceiveMessage(request);
  }

  /** Reports a cancellation to grpc-js, which expects one at every end, even after its own status. */
  #endServer(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#requests.close();
    process.nextTick(this.#options.listener.runInContext, () => this.#serverListener?.onCancel());
  }
}
