import { translated } from '../../shared/i18n/messages.ts';
import { Choice } from '../../shared/ui/form.tsx';
import { recordTypes } from './kept-files.ts';

const text = translated({
  type: 'Record type of the CSV file',
  'account-holder': 'Account holders',
  'production-facility': 'Production facilities',
  issuance: 'Issuances',
});

/** A CSV file does not say it itself. */
export function RecordTypeChoice({ fault }: { readonly fault?: string | undefined }) {
  return (
    <Choice label={text.type} name="type" fault={fault}>
      {recordTypes.map((type) => (
        <option key={type} value={type}>
          {text[type]}
        </option>
      ))}
    </Choice>
  );
}
