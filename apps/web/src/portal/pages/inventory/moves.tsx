import { useState } from 'react';
import { useLocation } from 'wouter';
import { formatTonnes } from '../../../shared/format/numbers.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Field } from '../../../shared/ui/form.tsx';
import { Summary } from '../../../shared/ui/toolbar.tsx';
import { useMe } from '../../me.ts';
import { startDraft } from '../../transfers/draft.ts';
import type { Filters } from '../../transfers/filter.ts';
import { transferKinds, transferLabels, mayTransfer, type TransferKind } from '../../transfers/kinds.ts';
import type { Selected } from '../../transfers/selected.ts';
import { text } from './text.ts';

const VOLUME = /^[1-9]\d*$/;

interface TransferBarProps {
  readonly traderId: string;
  readonly filters: Filters;
  readonly selected: Selected;
}

/** Shows the selection, or a volume of the oldest bundles, and a button for each permitted transfer. */
export function TransferBar({ traderId, filters, selected }: TransferBarProps) {
  const [, navigate] = useLocation();
  const { data: me } = useMe();
  const [typed, setTyped] = useState('');
  const volume = VOLUME.test(typed.trim()) ? typed.trim() : undefined;
  const startTransfer = (act: TransferKind): void => {
    startDraft(act, traderId);
    const source: Record<string, string> = volume === undefined ? { from: 'selected' } : { from: 'oldest', volume };
    navigate(`/channel/move/${act}?${new URLSearchParams({ ...filters, ...source })}`);
  };
  const isEmpty = volume === undefined && selected.bundles.length === 0;
  const allowed = me ? transferKinds.filter((act) => mayTransfer(me, act)) : [];
  return (
    <Summary>
      <span role="status">
        {volume !== undefined
          ? text.oldest(formatTonnes(volume))
          : isEmpty
            ? text.nothingSelected
            : text.selected(selected.bundles.length, formatTonnes(selected.volume))}
      </span>
      {selected.bundles.length > 0 && (
        <Button look="quiet" onClick={selected.clear}>
          {text.unselect}
        </Button>
      )}
      {allowed.length > 0 && (
        <Field
          label={text.oldestFirst}
          value={typed}
          inputMode="numeric"
          pattern="[1-9][0-9]*"
          autoComplete="off"
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
      {allowed.map((act) => (
        <Button key={act} disabled={isEmpty} onClick={() => startTransfer(act)}>
          {transferLabels[act]}
        </Button>
      ))}
    </Summary>
  );
}
