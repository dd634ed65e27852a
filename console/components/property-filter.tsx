import { strings } from '../common-strings.ts';
import { chosenIn, listFilter, type Properties, type PropertyRule, parameterOf, ruleOf } from '../groups.ts';
import { useQuery } from '../query.ts';
import { useStudy } from '../study-context.ts';
import { Options } from './form.tsx';

/** The part of a study that a list shows. */
export interface Part {
  chosen: Properties;
  /** As parameters of the service's lists. */
  filter: { property?: string[] };
  rule: PropertyRule | undefined;
  /** As further parameters of an address of the console: "&property.site=Lyon" */
  search: string;
  /** The rows of a page, for a list that is read on while its pages are short; undefined for lists of the whole study. */
  fills: (limit: number) => number | undefined;
}

/** The properties that the address chooses. */
export function usePart(): Part {
  const { study, properties } = useStudy();
  const [query] = useQuery();
  const chosen = chosenIn(properties, query);
  const isPart = Boolean(study.scope) || Object.keys(chosen).length > 0;
  return {
    chosen,
    filter: listFilter(chosen),
    rule: ruleOf(chosen),
    search: Object.entries(chosen)
      .map(([name, value]) => `&${encodeURIComponent(parameterOf(name))}=${encodeURIComponent(value)}`)
      .join(''),
    fills: (limit) => (isPart ? limit : undefined),
  };
}

/** The change of the address that chooses nothing. */
export function useNoPart(): Record<string, string> {
  const { properties } = useStudy();
  return Object.fromEntries(properties.map(({ name }) => [parameterOf(name), '']));
}

/** Narrows a list to people or cases with a value of each property, kept in the address. */
export function PropertyFilter() {
  const { properties } = useStudy();
  const [query, change] = useQuery();
  const chosen = chosenIn(properties, query);
  return (
    <>
      {properties.map(({ name, values }) => (
        <label key={name}>
          <span dir="auto">{name}</span>
          <select
            value={chosen[name] ?? ''}
            onChange={(event) => change({ [parameterOf(name)]: event.currentTarget.value })}
          >
            <option value="">{strings.properties.any}</option>
            <Options of={values.map((value) => [value, value])} />
          </select>
        </label>
      ))}
    </>
  );
}
