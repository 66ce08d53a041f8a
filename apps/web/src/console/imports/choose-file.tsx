import { useState, type ReactNode } from 'react';
import { groupFaults } from '../../shared/api/problem.ts';
import { translate } from '../../shared/i18n/messages.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Select, Field, Form } from '../../shared/ui/form.tsx';
import { Failure } from '../../shared/ui/state.tsx';
import { detectFormat, recordTypes, type SentFile } from './imports.ts';

const typeText = translate({
  type: 'Record type of the CSV file',
  'account-holder': 'Account holders',
  'production-facility': 'Production facilities',
  issuance: 'Issuances',
});

/** Record type, which a CSV file does not state. */
function RecordTypeChoice({ fault }: { readonly fault?: string | undefined }) {
  return (
    <Select label={typeText.type} name="type" fault={fault}>
      {recordTypes.map((type) => (
        <option key={type} value={type}>
          {typeText[type]}
        </option>
      ))}
    </Select>
  );
}

const text = translate({
  file: 'File',
  formats: 'NDJSON with one record per line, or CSV with a header line and a name that ends in .csv.',
});

interface ChooseFileProps {
  readonly button: ReactNode;
  readonly isBusy: boolean;
  readonly error: unknown;
  onChoose(sent: SentFile): void;
}

/** Asks for a file, and for the record type if the format does not state it. */
export function ChooseFile({ button, isBusy, error, onChoose }: ChooseFileProps) {
  const [isCsv, setCsv] = useState(false);
  const { others } = groupFaults(error, []);
  const choose = (form: FormData): void => {
    const file = form.get('file');
    if (!(file instanceof File)) return;
    const type = recordTypes.find((each) => each === form.get('type'));
    onChoose({ file, name: file.name, format: detectFormat(file.name), type: isCsv ? type : undefined });
  };
  return (
    <Form
      onSubmit={choose}
      faults={others}
      actions={
        <Button type="submit" look="primary" busy={isBusy}>
          {button}
        </Button>
      }
    >
      <Field
        label={text.file}
        hint={text.formats}
        name="file"
        type="file"
        accept=".ndjson,.jsonl,.csv"
        required
        onChange={({ target }) => setCsv(detectFormat(target.files?.[0]?.name ?? '-') === 'csv')}
      />
      {isCsv && <RecordTypeChoice />}
      {error !== null && others.length === 0 && <Failure error={error} />}
    </Form>
  );
}
