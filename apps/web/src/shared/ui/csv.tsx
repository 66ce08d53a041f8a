import { useSubmission } from '../api/use-submission.ts';
import { translated } from '../i18n/messages.ts';
import { Button } from './button.tsx';
import { Failure } from './state.tsx';

const text = translated({
  saves: (label: string, form: string) => `Save as ${form}: ${label}`,
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
  /** What it is written in, which is its ending too. */
  readonly form?: 'CSV' | 'NDJSON';
  readonly load: () => Promise<Blob>;
}

/** Saves a list with its filters as a file. */
export function Csv({ label, name, form = 'CSV', load }: CsvProps) {
  const file = `${name}.${form.toLowerCase()}`;
  const saving = useSubmission({ mutationFn: load, onSuccess: (content) => save(content, file), gcTime: 0 });
  return (
    <>
      <Button aria-label={text.saves(label, form)} busy={saving.isPending} onClick={() => saving.mutate()}>
        {form}
      </Button>
      {saving.error && <Failure error={saving.error} />}
    </>
  );
}
