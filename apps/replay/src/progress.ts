import type { ReplayProgress } from './replay.ts';

const LINE_EVERY_MS = 5_000;
const REWRITE_EVERY_MS = 100;
const COLUMNS_WITHOUT_TERMINAL = 80;

/** The part of a stream that progress is written to. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressWriter {
  show(this: void, progress: ReplayProgress): void;
  /** Removes the line from a terminal. */
  clear(this: void): void;
}

const names = { import: 'importing', transfers: 'moving certificates', totals: 'comparing totals' } as const;

function textOf({ phase, done, total, trouble }: ReplayProgress, seconds: number): string {
  const share = phase === 'totals' ? '' : ` ${done}/${total}`;
  return `${names[phase]}${share}, ${seconds.toFixed(0)} s${trouble ? `, waiting: ${trouble}` : ''}`;
}

/** Shows progress on one line that is rewritten, or on a line every few seconds where there is no terminal. */
export function progressWriter(output: ProgressOutput, now: () => number = () => performance.now()): ProgressWriter {
  const started = now();
  const everyMs = output.isTTY ? REWRITE_EVERY_MS : LINE_EVERY_MS;
  let shownAt = output.isTTY ? -Infinity : started;
  let phase: ReplayProgress['phase'] | undefined;
  return {
    show(progress) {
      if (progress.phase === phase && now() - shownAt < everyMs) return;
      shownAt = now();
      phase = progress.phase;
      const text = textOf(progress, (shownAt - started) / 1_000);
      if (output.isTTY)
        output.write(`\r\u001b[2K${[...text].slice(0, (output.columns ?? COLUMNS_WITHOUT_TERMINAL) - 1).join('')}`);
      else output.write(`${text}\n`);
    },
    clear() {
      if (output.isTTY) output.write('\r\u001b[2K');
    },
  };
}
