import { readFileSync } from 'node:fs';

/** A clause of a rule for trials or personal data. */
export interface Clause {
  clause: string;
  asks: string;
  /** Empty: Fieldbell does nothing for it. */
  does: string;
  /** Numbers of the tests that show it. */
  shownBy: number[];
  notCovered: string;
}

/** A test that a clause names. `name` may be a part of its title, with `%s` for each of several cases. */
export interface NamedTest {
  number: number;
  /** Path in the project. */
  file: string;
  /** The file to run, if `file` is one of support. */
  runBy?: string;
  name: string;
}

/** A requirement of OWASP ASVS 5.0, of level 1 or 2, in our words. */
export interface SecurityRequirement {
  number: string;
  level: number;
  asks: string;
  state: 'met' | 'not applicable' | 'gap';
  /** The link that shows it, from the project's folder, or the reason. */
  because: string;
}

export interface Chapter<Row> {
  title: string;
  rows: Row[];
}

/** The requirements that the pack answers, in `requirements.json`. */
export interface Requirements {
  rules: Chapter<Clause>[];
  tests: NamedTest[];
  security: Chapter<SecurityRequirement>[];
}

export const readRequirements = (): Requirements =>
  JSON.parse(readFileSync(new URL('requirements.json', import.meta.url), 'utf8'));
