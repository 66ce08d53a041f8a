import { useMutation } from '@tanstack/react-query';
import { translated } from '../i18n/messages.ts';
import { Button } from './button.tsx';
import { Failure } from './state.tsx';

const text = translated({
  csv: 'CSV',
  saves: (label: string) => `Save as CSV: ${label}`,
});

/** A link of the browser's own can say neither who asks nor what for, so the file is fetched and then saved. */
function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // What is saved by then was read by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

interface CsvProps {
  /** What the list is, for those who do not see it. */
  readonly label: string;
  /** Of the file, without its ending. */
  readonly name: string;
  readonly load: () => Promise<Blob>;
}

/** Saves a list with its filters as a file. */
export function Csv({ label, name, load }: CsvProps) {
  const saving = useMutation({ mutationFn: load, onSuccess: (content) => save(content, `${name}.csv`), gcTime: 0 });
  return (
    <>
      <Button aria-label={text.saves(label)} busy={saving.isPending} onClick={() => saving.mutate()}>
        {text.csv}
      </Button>
      {saving.error && <Failure error={saving.error} />}
    </>
  );
}
