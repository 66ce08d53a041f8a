import { useSubmission } from '../api/queries.ts';
import { translate } from '../i18n/messages.ts';
import { Button } from './button.tsx';
import { Failure } from './state.tsx';

const text = translate({ saves: (label: string, form: string) => `Save as ${form}: ${label}` });

/** Saves a fetched file. A plain link cannot send the required headers. */
function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

interface CsvProps {
  /** Accessible label of the list. */
  readonly label: string;
  /** File name without extension. */
  readonly name: string;
  /** Format, which is the extension too. */
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
