import { translate } from '../../shared/i18n/messages.ts';
import { Status, type Tone } from '../../shared/ui/page.tsx';
import type { Import } from './imports.ts';

const text = translate({
  PENDING: 'pending',
  RUNNING: 'running',
  COMPLETED: 'completed',
  withErrors: 'completed, with failed lines',
  FAILED: 'failed',
});

const tones: Record<Import['status'], Tone> = { PENDING: 'wait', RUNNING: 'wait', COMPLETED: 'ok', FAILED: 'bad' };

export function ImportStatus({ of: { status, linesFailed } }: { readonly of: Import }) {
  if (status === 'COMPLETED' && linesFailed > 0) return <Status tone="bad">{text.withErrors}</Status>;
  return <Status tone={tones[status]}>{text[status]}</Status>;
}
