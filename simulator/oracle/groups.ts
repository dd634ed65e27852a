/* The groups of a study, by their own words: people and things fit a rule that have one of its values of each name. */

/** Values by the names of properties. */
export type Values = Readonly<Record<string, string>>;

/** Values by the names of properties, one of which fits. */
export type Rule = Readonly<Record<string, readonly string[]>>;

export interface DeclaredProperty {
  name: string;
  values: readonly string[];
  blinded?: true | undefined;
}

/** Whether somebody or something with these properties fits; everything fits no rule. */
export function slowFits(rule: Rule | null, values: Values): boolean {
  for (const [name, some] of Object.entries(rule ?? {})) {
    const own = values[name];
    if (own === undefined || !some.includes(own)) return false;
  }
  return true;
}

/** Whether a rule names a property that owners alone see. */
export const namesBlinded = (rule: Rule | null, declared: readonly DeclaredProperty[]): boolean =>
  Object.keys(rule ?? {}).some((name) => declared.some((one) => one.name === name && one.blinded));
