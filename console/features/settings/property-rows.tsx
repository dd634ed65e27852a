import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Choice, Group, TextAreaField, TextField } from '../../components/form.tsx';
import type { Property } from '../../groups.ts';
import { strings } from './settings-strings.ts';

/** As the service has it. */
const maxProperties = 10;

const fieldOf = (key: number | string, part: 'name' | 'values' | 'blinded') => `declared ${key} ${part}`;

/** The declared properties that a form has; a row without a name and values is left out. */
export function declaredIn(form: FormData): Property[] {
  const keys = [...form.keys()].flatMap((name) => /^declared (\d+) name$/.exec(name)?.[1] ?? []);
  const text = (key: string, part: 'name' | 'values') => String(form.get(fieldOf(key, part)) ?? '').trim();
  return keys
    .map((key) => ({
      name: text(key, 'name'),
      values: text(key, 'values')
        .split('\n')
        .map((value) => value.trim())
        .filter((value) => value !== ''),
      ...(form.has(fieldOf(key, 'blinded')) && { blinded: true as const }),
    }))
    .filter(({ name, values }) => name !== '' || values.length > 0);
}

/** Whether the same is declared. */
export const isSame = (a: readonly Property[], b: readonly Property[]): boolean => {
  const plain = (all: readonly Property[]) =>
    JSON.stringify(all.map(({ name, values, blinded = false }) => [name, values, blinded]));
  return plain(a) === plain(b);
};

/** The properties that a study declares, a row of fields for each, which `declaredIn` reads. */
export function PropertyRows({ properties }: { properties: readonly Property[] }) {
  const [rows, setRows] = useState<readonly (Partial<Property> & { key: number })[]>(() =>
    properties.map((property, key) => ({ key, ...property })),
  );
  return (
    <Group label={strings.properties} hint={strings.propertiesHint} pointer="/properties">
      {rows.map(({ key, name = '', values = [], blinded = false }, n) => (
        <Group key={key} label={strings.property(n + 1)} pointer={`/properties/${n}`}>
          <TextField
            label={strings.propertyName}
            name={fieldOf(key, 'name')}
            pointer={`/properties/${n}/name`}
            defaultValue={name}
            dir="auto"
          />
          <TextAreaField
            label={strings.propertyValues}
            name={fieldOf(key, 'values')}
            pointer={`/properties/${n}/values`}
            hint={strings.propertyValuesHint}
            rows={Math.max(2, Math.min(12, values.length))}
            defaultValue={values.join('\n')}
            dir="auto"
          />
          <Choice
            name={fieldOf(key, 'blinded')}
            label={strings.blinded}
            hint={strings.blindedHint}
            defaultChecked={blinded}
          />
          <Button
            kind="quiet"
            icon="trash"
            aria-label={strings.removePropertyOf(name || String(n + 1))}
            onClick={() => setRows((all) => all.filter((row) => row.key !== key))}
          >
            {strings.removeProperty}
          </Button>
        </Group>
      ))}
      {rows.length < maxProperties && (
        <Button
          icon="plus"
          onClick={() => setRows((all) => [...all, { key: Math.max(-1, ...all.map(({ key }) => key)) + 1 }])}
        >
          {strings.addProperty}
        </Button>
      )}
    </Group>
  );
}
