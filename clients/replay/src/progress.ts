const LINE_EVERY_MS = 5_000;
const REWRITE_EVERY_MS = 100;
const COLUMNS_WITHOUT_TERMINAL = 80;
/** Moves to the first column and erases the line (ECMA-48). */
const ERASE_LINE = '\r\u001b[2K';

/** Progress of a replay. */
export interface Progress {
  readonly phase: 'import' | 'transfers' | 'totals';
  readonly done: number;
  readonly total: number;
  /** Reason of the current retry, if any. */
  readonly retryReason?: string;
}

/** Output stream, possibly a terminal. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressWriter {
  show(this: void, progress: Progress): void;
  /** Erases the line on a terminal. */
  clear(this: void): void;
}

/** Shows progress on one rewritten line, or without a terminal on a line every few seconds. */
export function createProgressWriter(output: Output, now: () => number = () => performance.now()): ProgressWriter {
  const started = now();
  const everyMs = output.isTTY ? REWRITE_EVERY_MS : LINE_EVERY_MS;
  let shownAt = output.isTTY ? -Infinity : started;
  let phase: Progress['phase'] | undefined;
  return {
    show(progress) {
      if (progress.phase === phase && now() - shownAt < everyMs) return;
      shownAt = now();
      phase = progress.phase;
      const text = formatProgress(progress, (shownAt - started) / 1_000);
      if (!output.isTTY) output.write(`${text}\n`);
      else {
        const columns = output.columns ?? COLUMNS_WITHOUT_TERMINAL;
        output.write(`${ERASE_LINE}${[...text].slice(0, columns - 1).join('')}`);
      }
    },
    clear() {
      if (output.isTTY) output.write(ERASE_LINE);
    },
  };
}

const names = { import: 'importing', transfers: 'moving certificates', totals: 'comparing totals' } as const;

function formatProgress({ phase, done, total, retryReason }: Progress, seconds: number): string {
  const share = phase === 'totals' ? '' : ` ${done}/${total}`;
  return `${names[phase]}${share}, ${seconds.toFixed(0)} s${retryReason ? `, waiting: ${retryReason}` : ''}`;
}
