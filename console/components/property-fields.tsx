import { strings } from '../common-strings.ts';
import {
  boxesOf,
  changeable,
  fieldOf,
  type Properties,
  type Property,
  type PropertyRule,
  valuesWithin,
} from '../groups.ts';
import { useStudy } from '../study-context.ts';
import { Fact } from './fact.tsx';
import { Choice, Group, Options, SelectField } from './form.tsx';
import type { Column } from './table.tsx';

/** A field for each property that the viewer may give, which `propertiesIn` reads. `pointer` leads to them in the request. */
export function PropertyFields({
  label,
  hint,
  properties: given,
  pointer = '',
}: {
  label: string;
  hint?: string;
  /** Of somebody or something that exists: without those that the viewer's scope names, which stay as they are. */
  properties?: Properties | undefined;
  pointer?: string;
}) {
  const { study, properties } = useStudy();
  const shown = given ? changeable(properties, study.scope) : properties;
  if (shown.length === 0) return null;
  return (
    <Group label={label} hint={hint} pointer={`${pointer}/properties`}>
      <div class="pair">
        {shown.map((property) => {
          const { name, blinded } = property;
          const values = valuesWithin(property, study.scope ?? undefined);
          const isBound = study.scope?.[name] !== undefined;
          const chosen = given?.[name] ?? (isBound && values.length === 1 ? values[0] : '');
          return (
            <SelectField
              key={name}
              label={blinded ? `${name} (${strings.properties.blinded.toLowerCase()})` : name}
              name={fieldOf(name)}
              pointer={`${pointer}/properties/${name}`}
            >
              {!(isBound && values.length === 1) && (
                <option value="" selected={!chosen}>
                  {isBound ? strings.properties.choose : strings.properties.none}
                </option>
              )}
              <Options of={values.map((value) => [value, value])} chosen={chosen} />
            </SelectField>
          );
        })}
      </div>
    </Group>
  );
}

/** Boxes for the values of the properties, which `ruleIn` reads: people fit who have one of the ticked values of each name. */
export const RuleFields = ({
  label,
  hint,
  properties,
  rule,
  pointer,
  of,
}: {
  label: string;
  hint?: string;
  properties: readonly Property[];
  rule?: PropertyRule | null | undefined;
  pointer: string;
  /** Tells several rules of one form apart. */
  of?: string;
}) => (
  <Group label={label} hint={hint} pointer={pointer}>
    {properties.map(({ name, values, blinded }) => (
      <Group
        key={name}
        label={blinded ? `${name} (${strings.properties.blinded.toLowerCase()})` : name}
        pointer={`${pointer}/${name}`}
      >
        {values.map((value) => (
          <Choice
            key={value}
            name={boxesOf(name, of)}
            value={value}
            label={value}
            defaultChecked={rule?.[name]?.includes(value) ?? false}
          />
        ))}
      </Group>
    ))}
  </Group>
);

/** A column for each property that the viewer sees. */
export const propertyColumns = <Row extends object>(
  properties: readonly Property[],
  of: (row: Row) => Properties | undefined = (row) => (row as { properties?: Properties }).properties,
): Column<Row>[] =>
  properties.map(({ name }) => ({
    key: `property.${name}`,
    label: name,
    cell: (row) => of(row)?.[name] ?? '',
  }));

/** The properties of a person or a case among their facts. */
export const PropertyFacts = ({
  of = {},
  declared,
}: {
  of: Properties | undefined;
  declared: readonly Property[];
}) => (
  <>
    {declared.map(({ name }) => (
      <Fact key={`property.${name}`} term={name}>
        {of[name] ?? <span class="muted">{strings.properties.none}</span>}
      </Fact>
    ))}
  </>
);
