import type { ComponentProps } from 'react';
import { countries, countryName } from '../format/countries.ts';
import { translated } from '../i18n/messages.ts';
import { Choice } from './form.tsx';

const text = translated({ choose: 'Choose a country', none: 'No country' });

interface CountryChoiceProps extends ComponentProps<typeof Choice> {
  /** What a new record holds of a country. One that has a country goes on with its form of it. */
  readonly holds: 'code' | 'name';
  readonly defaultValue?: string | undefined;
}

/** A country by its name: typing leads to it. A kept value that names none is offered too. */
export function CountryChoice({ holds, defaultValue = '', ...choice }: CountryChoiceProps) {
  const form = (['code', 'name'] as const).find((each) => countries.some((country) => country[each] === defaultValue));
  const value = form ?? holds;
  return (
    <Choice {...choice} defaultValue={defaultValue}>
      <option value="">{choice.required === true ? text.choose : text.none}</option>
      {form === undefined && defaultValue !== '' && <option value={defaultValue}>{countryName(defaultValue)}</option>}
      {countries.map((country) => (
        <option key={country.code} value={country[value]}>
          {countryName(country.code)}
        </option>
      ))}
    </Choice>
  );
}
