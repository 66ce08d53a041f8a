import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '@saleschannel/local';
import { summarize, type StoredFigure, type Result, computeScore, formatTarget } from './figures.ts';

/** One run of the bench, of some or all scenarios. */
interface HistoryEntry {
  readonly commit: string;
  readonly at: string;
  readonly cores: number;
  readonly node: string;
  readonly scenarios: Readonly<Record<string, readonly StoredFigure[]>>;
}

const folder = join(projectRoot, 'docs', 'operate', 'performance');
const historyFile = join(folder, 'history.json');
const chartFile = join(folder, 'figures.svg');

export const toEntry = (results: readonly Result[]): HistoryEntry => ({
  commit: commit(),
  at: new Date().toISOString(),
  cores: cpus().length,
  node: process.version,
  scenarios: Object.fromEntries(results.map(({ scenario, figures }) => [scenario, figures.map(summarize)])),
});

/** Adds a run to the history, and draws the chart of all runs. */
export function addToHistory(entry: HistoryEntry): void {
  mkdirSync(folder, { recursive: true });
  const before = existsSync(historyFile) ? (JSON.parse(readFileSync(historyFile, 'utf8')) as HistoryEntry[]) : [];
  const history = [...before, entry];
  writeFileSync(historyFile, `[\n${history.map((each) => JSON.stringify(each)).join(',\n')}\n]\n`);
  writeFileSync(chartFile, drawChart(history));
}

/** The measured commit, with a plus sign for uncommitted changes. */
function commit(): string {
  const git = (...words: string[]): string => execFileSync('git', words, { cwd: projectRoot, encoding: 'utf8' }).trim();
  try {
    return `${git('rev-parse', '--short=10', 'HEAD')}${git('status', '--porcelain') === '' ? '' : '+'}`;
  } catch {
    return 'unknown';
  }
}

/** Sizes in pixels. */
const ROW = 26;
const LEFT = 420;
const WIDTH = 420;
const RIGHT = 150;
const TOP = 64;
const BOTTOM = 28;
const DOT = 5;
/** A logarithmic scale from a tenth of a target to ten times it. */
const DECADES = 1;

interface Point {
  readonly score: number;
  readonly low: number;
  readonly high: number;
}

interface Row {
  readonly name: string;
  readonly latest: StoredFigure;
  /** Oldest first. The last belongs to the latest run. */
  readonly points: readonly Point[];
}

/** Draws all figures with a target relative to it: right of the line it is reached. Older runs are paler. */
function drawChart(history: readonly HistoryEntry[]): string {
  const rows = buildRows(history);
  const height = TOP + rows.length * ROW + BOTTOM;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${LEFT + WIDTH + RIGHT}" height="${height}"`,
    '  font-family="system-ui, sans-serif" font-size="13">',
    `<title>Figures against their targets, ${history.length} runs</title>`,
    '<style>text{fill:#1f2328}.pale{fill:#656d76}.bg{fill:#fff}.grid{stroke:#d0d7de}.target{stroke:#1f2328}',
    '.good{fill:#1a7f37;stroke:#1a7f37}.bad{fill:#cf222e;stroke:#cf222e}',
    '@media(prefers-color-scheme:dark){text{fill:#e6edf3}.pale{fill:#8b949e}.bg{fill:#0d1117}.grid{stroke:#30363d}',
    '.target{stroke:#e6edf3}.good{fill:#3fb950;stroke:#3fb950}.bad{fill:#f85149;stroke:#f85149}}</style>',
    `<rect class="bg" width="100%" height="100%"/>`,
    `<text x="12" y="24" font-weight="600">Figures against their targets</text>`,
    `<text x="12" y="44" class="pale">${escaped(formatSubtitle(history))}</text>`,
    ...scale(height),
    ...rows.flatMap((row, index) => drawRow(row, TOP + index * ROW + ROW / 2)),
    '</svg>',
    '',
  ].join('\n');
}

function formatSubtitle(history: readonly HistoryEntry[]): string {
  const latest = history.at(-1);
  return latest ? `latest: ${latest.commit}, ${latest.at.slice(0, 10)}; paler: earlier runs` : 'no run yet';
}

function buildRows(history: readonly HistoryEntry[]): Row[] {
  const names = new Map<string, Row>();
  for (const { scenarios } of history) {
    for (const [scenario, figures] of Object.entries(scenarios)) {
      for (const figure of figures) {
        const point = toPoint(figure);
        if (!point) continue;
        const name = `${scenario}: ${figure.name}`;
        names.set(name, { name, latest: figure, points: [...(names.get(name)?.points ?? []), point] });
      }
    }
  }
  return [...names.values()];
}

function toPoint({ median, min, max, target }: StoredFigure): Point | undefined {
  const score = computeScore(median, target);
  if (score === undefined) return undefined;
  const [one, other] = [computeScore(min, target) ?? score, computeScore(max, target) ?? score];
  return { score, low: Math.min(one, other), high: Math.max(one, other) };
}

const toX = (score: number): number => {
  const decades = Math.max(-DECADES, Math.min(DECADES, Math.log10(Math.max(score, 1e-9))));
  return LEFT + ((decades + DECADES) / (2 * DECADES)) * WIDTH;
};

const scale = (height: number): string[] =>
  [0.1, 0.2, 0.5, 1, 2, 5, 10].flatMap((score) => {
    const x = toX(score).toFixed(1);
    const [kind, label] = score === 1 ? ['target', 'target'] : ['grid', `${score} ×`];
    return [
      `<line x1="${x}" x2="${x}" y1="${TOP - 4}" y2="${height - BOTTOM + 4}" class="${kind}"/>`,
      `<text x="${x}" y="${height - 8}" text-anchor="middle" class="pale">${label}</text>`,
    ];
  });

function drawRow({ name, latest, points }: Row, y: number): string[] {
  const [last, before] = [points.at(-1), points.slice(0, -1)];
  if (!last) return [];
  const toClass = (score: number): string => (score >= 1 ? 'good' : 'bad');
  const dot = ({ score }: Point, opacity: string): string =>
    `<circle cx="${toX(score).toFixed(1)}" cy="${y}" r="${DOT}" class="${toClass(score)}" opacity="${opacity}"/>`;
  const value = escaped(`${latest.median} ${latest.unit} (${formatTarget(latest.target)})`);
  const [from, to] = [toX(last.low).toFixed(1), toX(last.high).toFixed(1)];
  return [
    `<text x="12" y="${y + 4}">${escaped(name)}</text>`,
    ...before.map((point, index) => dot(point, (0.15 + (0.3 * index) / before.length).toFixed(2))),
    `<line x1="${from}" x2="${to}" y1="${y}" y2="${y}" stroke-width="2" class="${toClass(last.score)}"/>`,
    dot(last, '1'),
    `<text x="${LEFT + WIDTH + 14}" y="${y + 4}">${value}</text>`,
  ];
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
