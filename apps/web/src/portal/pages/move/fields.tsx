import { Choice, Field, Group } from '../../../shared/ui/form.tsx';
import { usages } from '../../transactions/usages.ts';
import type { Act } from '../../transfers/acts.ts';
import type { Fields } from './body.ts';
import styles from './move.module.css';
import { text } from './text.ts';

interface FieldsProps {
  readonly fields: Fields;
  /** What is wrong, by the pointer of the member. */
  readonly faults: ReadonlyMap<string, string>;
}

/** `PRICE` for the browser, which anchors patterns by itself. */
const PRICE_PATTERN = String.raw`(0|[1-9]\d{0,9})(\.\d{1,6})?`;

/** The price of one certificate, the same for all, in the digits that are typed. */
export function Price({ act, fields, faults }: FieldsProps & { readonly act: Act }) {
  const isRequired = act === 'trade';
  return (
    <Group legend={text.prices}>
      <Field
        label={text.unitPrice}
        hint={isRequired ? text.unitPriceHint : text.unitPriceOptional}
        fault={faults.get('/unitPrice')}
        name="unitPrice"
        inputMode="decimal"
        autoComplete="off"
        pattern={PRICE_PATTERN}
        required={isRequired}
        defaultValue={fields['unitPrice']}
      />
      <Choice
        label={text.currency}
        fault={faults.get('/currency')}
        name="currency"
        defaultValue={fields['currency'] ?? 'EUR'}
      >
        <option value="EUR">EUR</option>
        <option value="USD">USD</option>
      </Choice>
    </Group>
  );
}

const NAME_LENGTH = 200;
const TEXT_LENGTH = 1_000;

function Beneficiary({ fields, faults }: FieldsProps) {
  return (
    <Group legend={text.beneficiary}>
      <Field
        label={text.beneficiaryName}
        hint={text.beneficiaryNameHint}
        fault={faults.get('/beneficiaryName')}
        name="beneficiaryName"
        maxLength={NAME_LENGTH}
        defaultValue={fields['beneficiaryName']}
      />
      <Field
        label={text.beneficiaryLocation}
        hint={text.beneficiaryLocationHint}
        fault={faults.get('/beneficiaryLocation')}
        name="beneficiaryLocation"
        required
        maxLength={TEXT_LENGTH}
        defaultValue={fields['beneficiaryLocation']}
      />
      <Choice
        label={text.beneficiaryType}
        fault={faults.get('/beneficiaryType')}
        name="beneficiaryType"
        defaultValue={fields['beneficiaryType'] ?? 'END_CONSUMER'}
      >
        <option value="END_CONSUMER">{text.END_CONSUMER}</option>
        <option value="SUPPLIER">{text.SUPPLIER}</option>
      </Choice>
    </Group>
  );
}

function Use({ fields, faults }: FieldsProps) {
  return (
    <Group legend={text.use}>
      <Field
        label={text.purpose}
        hint={text.purposeHint}
        fault={faults.get('/retirementPurpose')}
        name="retirementPurpose"
        required
        maxLength={TEXT_LENGTH}
        defaultValue={fields['retirementPurpose']}
      />
      <Choice
        label={text.usage}
        fault={faults.get('/usageType')}
        name="usageType"
        defaultValue={fields['usageType'] ?? 'GENERIC_COMPENSATION'}
      >
        {Object.entries(usages).map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </Choice>
      <Field
        label={text.country}
        hint={text.countryHint}
        fault={faults.get('/consumptionCountryCode')}
        name="consumptionCountryCode"
        required
        pattern="[A-Za-z]{2}"
        maxLength={2}
        autoComplete="off"
        defaultValue={fields['consumptionCountryCode']}
      />
      <div className={styles['pair']}>
        <Field
          label={text.periodStart}
          fault={faults.get('/consumptionPeriod/start') ?? faults.get('/consumptionPeriod')}
          name="periodStart"
          type="date"
          required
          defaultValue={fields['periodStart']}
        />
        <Field
          label={text.periodEnd}
          fault={faults.get('/consumptionPeriod/end')}
          name="periodEnd"
          type="date"
          required
          defaultValue={fields['periodEnd']}
        />
      </div>
    </Group>
  );
}

function Statement({ fields, faults }: FieldsProps) {
  return (
    <Group legend={text.statement}>
      <Choice
        label={text.publication}
        fault={faults.get('/statement/publication')}
        name="publication"
        defaultValue={fields['publication'] ?? 'LINK'}
      >
        <option value="LINK">{text.LINK}</option>
        <option value="PUBLIC">{text.PUBLIC}</option>
      </Choice>
      <Field
        label={text.hiddenUntil}
        hint={text.hiddenUntilHint}
        fault={faults.get('/statement/beneficiaryHiddenUntil')}
        name="beneficiaryHiddenUntil"
        type="date"
        defaultValue={fields['beneficiaryHiddenUntil']}
      />
    </Group>
  );
}

/** For whom and for what certificates are retired, and who may read of it. */
export function Retirement(props: FieldsProps) {
  return (
    <>
      <Beneficiary {...props} />
      <Use {...props} />
      <Statement {...props} />
    </>
  );
}
