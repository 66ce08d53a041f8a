import { AsyncLocalStorage } from 'node:async_hooks';
import { connectivityState, Metadata, status, type ChannelInterface, type StatusObject } from '@grpc/grpc-js';
import { Exchange, type ResponseListener } from './in-process-exchange.ts';
import { awaitListener, findListener } from './listening.ts';
import { MAX_ATTEMPTS, retryPauseMs } from './outgoing.ts';

type Call = ReturnType<ChannelInterface['createCall']>;
type ClientListener = Parameters<Call['start']>[1];
type MessageContext = Parameters<Call['sendMessageWithContext']>[0];
type Deadline = Parameters<ChannelInterface['createCall']>[1];

const MAX_TIMER_MS = 2 ** 31 - 1;

/** Connects a grpc-js client to a server of the same process. */
export class InProcessChannel implements ChannelInterface {
  readonly #name: string;
  readonly #isRepeatable: (path: string) => boolean;
  readonly #waiting = new Set<InProcessCall>();
  #isClosed = false;

  /** @param isRepeatable whether calls of a method are retried when the server is unavailable */
  constructor(name: string, isRepeatable: (path: string) => boolean) {
    this.#name = name;
    this.#isRepeatable = isRepeatable;
  }

  createCall(path: string, deadline: Deadline): Call {
    if (this.#isClosed) throw new Error('Channel has been shut down');
    return new InProcessCall({
      name: this.#name,
      path,
      deadline: Number(deadline),
      isRepeatable: this.#isRepeatable(path),
      waiting: this.#waiting,
    });
  }

  /** Ends calls that wait for a server. Running calls continue. */
  close(): void {
    this.#isClosed = true;
    for (const call of this.#waiting)
      call.cancelWithStatus(status.UNAVAILABLE, 'Channel closed before the call started');
  }

  getTarget = (): string => `in-process:${this.#name}`;

  getConnectivityState(): connectivityState {
    if (this.#isClosed) return connectivityState.SHUTDOWN;
    return findListener(this.#name) ? connectivityState.READY : connectivityState.IDLE;
  }

  watchConnectivityState(_state: connectivityState, deadline: Date | number, changed: (error?: Error) => void): void {
    const late = setTimeout(
      () => {
        stopWaiting();
        changed(new Error('Deadline passed without connectivity state change'));
      },
      Number(deadline) - Date.now(),
    );
    const stopWaiting = awaitListener(this.#name, () => {
      clearTimeout(late);
      changed();
    });
  }

  getChannelzRef(): never {
    throw new Error('channelz is not served');
  }
}

interface CallOptions {
  readonly name: string;
  readonly path: string;
  /** Milliseconds since the epoch, or Infinity. */
  readonly deadline: number;
  readonly isRepeatable: boolean;
  /** Calls of the channel that wait for a server. */
  readonly waiting: Set<InProcessCall>;
}

/** A client's call, with all its attempts up to its deadline. */
class InProcessCall implements Call, ResponseListener {
  readonly #options: CallOptions;
  readonly #runInContext = AsyncLocalStorage.snapshot();
  #metadata = new Metadata();
  #listener: ClientListener | undefined;
  #exchange: Exchange | undefined;
  #attempts = 0;
  /** True if the call cannot be retried: part of the response has arrived, or more was sent than one message. */
  #isCommitted: boolean;
  #sent: { readonly message: Buffer; readonly onAccepted: () => void }[] = [];
  #isHalfClosed = false;
  #isReading = false;
  #isOver = false;
  #late: NodeJS.Timeout | undefined;
  #stopWaiting: (() => void) | undefined;

  constructor(options: CallOptions) {
    this.#options = options;
    this.#isCommitted = !options.isRepeatable;
  }

  start(metadata: Metadata, listener: ClientListener): void {
    const { deadline } = this.#options;
    this.#metadata = metadata;
    this.#listener = listener;
    if (Number.isFinite(deadline)) {
      const late = (): void => this.cancelWithStatus(status.DEADLINE_EXCEEDED, 'Deadline exceeded');
      this.#late = setTimeout(late, Math.min(Math.max(0, deadline - Date.now()), MAX_TIMER_MS));
    }
    this.#connect();
  }

  sendMessageWithContext({ callback }: MessageContext, message: Buffer): void {
    let isAccepted = false;
    const onAccepted = (): void => {
      if (!isAccepted) callback?.();
      isAccepted = true;
    };
    // Only calls with one message are retried.
    if (this.#sent.length > 0 && this.#exchange) this.#commit();
    if (!this.#isCommitted || !this.#exchange) this.#sent.push({ message, onAccepted });
    this.#exchange?.write(message, onAccepted);
  }

  halfClose(): void {
    this.#isHalfClosed = true;
    this.#exchange?.halfClose();
  }

  startRead(): void {
    this.#isReading = true;
    this.#exchange?.read();
  }

  cancelWithStatus(code: status, details: string): void {
    if (this.#isOver) return;
    this.#exchange?.cancel();
    this.#end();
    process.nextTick(this.#runInContext, () =>
      this.#listener?.onReceiveStatus({ code, details, metadata: new Metadata() }),
    );
  }

  onMetadata(metadata: Metadata): void {
    if (this.#isOver) return;
    this.#commit();
    this.#listener?.onReceiveMetadata(metadata);
  }

  onMessage(message: Buffer): void {
    if (this.#isOver) return;
    this.#isReading = false;
    this.#listener?.onReceiveMessage(message);
  }

  onStatus(ended: StatusObject): void {
    if (this.#isOver) return;
    const mustRetry = ended.code === status.UNAVAILABLE && !this.#isCommitted && this.#attempts < MAX_ATTEMPTS;
    if (mustRetry) {
      this.#exchange = undefined;
      const retry = setTimeout(() => this.#connect(), retryPauseMs(this.#attempts));
      this.#stopWaiting = () => clearTimeout(retry);
      return;
    }
    this.#end();
    this.#listener?.onReceiveStatus(ended);
  }

  getPeer = (): string => `in-process:${this.#options.name}`;
  getCallNumber = (): number => 0;
  /** Does nothing, because tokens are in the metadata. */
  setCredentials = (): void => undefined;
  getAuthContext = (): null => null;

  #connect(): void {
    const { name, path, deadline, waiting } = this.#options;
    waiting.delete(this);
    this.#stopWaiting = undefined;
    const listener = findListener(name);
    if (!listener) return this.#await();
    const method = listener.findMethod(path);
    if (!method) return this.cancelWithStatus(status.UNIMPLEMENTED, `The server does not implement the method ${path}`);
    this.#attempts += 1;
    const exchange = new Exchange({
      listener,
      method,
      metadata: this.#metadata,
      deadline,
      client: this,
      runInClient: this.#runInContext,
    });
    this.#exchange = exchange;
    for (const { message, onAccepted } of this.#sent) exchange.write(message, onAccepted);
    if (this.#isCommitted || this.#sent.length > 1) this.#commit();
    if (this.#isHalfClosed) exchange.halfClose();
    if (this.#isReading) exchange.read();
  }

  #await(): void {
    const { name, waiting } = this.#options;
    if (!this.#metadata.getOptions().waitForReady)
      return this.cancelWithStatus(status.UNAVAILABLE, `No server of this process listens at in-process:${name}`);
    waiting.add(this);
    this.#stopWaiting = awaitListener(name, () => this.#connect());
  }

  #commit(): void {
    this.#isCommitted = true;
    this.#sent = [];
  }

  #end(): void {
    this.#isOver = true;
    this.#commit();
    clearTimeout(this.#late);
    this.#stopWaiting?.();
    this.#options.waiting.delete(this);
  }
}
