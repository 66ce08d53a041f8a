import { useEffect, useRef, useState } from 'react';
import { countries, countryName } from '../format/countries.ts';
import { translated } from '../i18n/messages.ts';
import { Combobox } from './combobox.tsx';
import { useFormChange, type FieldProps } from './form.tsx';

const text = translated({ nothing: 'No matching countries.' });

interface CountryChoiceProps extends FieldProps {
  /** Name of its value in the form data. */
  readonly name: string;
  /** What a new record holds of a country. One that has a country goes on with its form of it. */
  readonly holds: 'code' | 'name';
  readonly defaultValue?: string | undefined;
  readonly required?: boolean;
}

/** A country, found by any part of its name. A kept value that names none is offered too. */
export function CountryChoice({ name, holds, defaultValue = '', required, ...field }: CountryChoiceProps) {
  const [value, setValue] = useState(defaultValue);
  const changed = useFormChange();
  const reported = useRef(value);
  // The form learns of a choice when its data holds it.
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
