import { useEffect, useRef, useState } from 'react';
import { countries, countryName } from '../format/countries.ts';
import { translate } from '../i18n/messages.ts';
import { Combobox } from './combobox.tsx';
import { useFormChange, type FieldProps } from './form.tsx';

const text = translate({ nothing: 'No matching countries.' });

interface CountryChoiceProps extends FieldProps {
  /** Name in the form data. */
  readonly name: string;
  /** Form of the country in new records. Existing records keep theirs. */
  readonly holds: 'code' | 'name';
  readonly defaultValue?: string | undefined;
  readonly required?: boolean;
}

/** Chooses a country by any part of its name. Offers an unknown stored value too. */
export function CountryChoice({ name, holds, defaultValue = '', required, ...field }: CountryChoiceProps) {
  const [value, setValue] = useState(defaultValue);
  const changed = useFormChange();
  const reported = useRef(value);
  // Report the change once the hidden input holds the value.
  useEffect(() => {
    if (reported.current === value) return;
    reported.current = value;
    changed();
  }, [value, changed]);
  const form = (['code', 'name'] as const).find((each) => countries.some((country) => country[each] === defaultValue));
  const known = countries.map((country) => ({ value: country[form ?? holds], label: countryName(country.code) }));
  const isKept = form === undefined && defaultValue !== '';
  const options = isKept ? [{ value: defaultValue, label: countryName(defaultValue) }, ...known] : known;
  return (
    <>
      <Combobox
        {...field}
        isRequired={required}
        options={options}
        value={options.find((option) => option.value === value)}
        onChoose={(option) => setValue(option ? option.value : '')}
        nothing={text.nothing}
      />
      <input type="hidden" name={name} value={value} />
    </>
  );
}
