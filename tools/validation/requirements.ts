import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A clause of a rule, from docs/audits.md. */
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
  name: string;
}

/** A requirement of OWASP ASVS, from docs/asvs.md. */
export interface SecurityRequirement {
  number: string;
  level: number;
  asks: string;
  state: string;
  /** The link that shows it, or the reason. */
  because: string;
}

export interface Chapter<Row> {
  title: string;
  rows: Row[];
}

const read = (project: string, path: string) => readFileSync(join(project, path), 'utf8');

/** The rows of the tables below each heading of the second level, without their headings. */
function chaptersOf(markdown: string): Chapter<string[]>[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((text) => {
      const [title = '', ...lines] = text.split('\n');
      const rows = lines.filter((line) => line.startsWith('|')).slice(2);
      return {
        title,
        rows: rows.map((row) =>
          row
            .slice(1, -1)
            .split('|')
            .map((cell) => cell.trim()),
        ),
      };
    })
    .filter(({ rows }) => rows.length > 0);
}

/** The clauses of docs/audits.md by their rules, and the tests that they name. */
export function readAudits(project: string): { rules: Chapter<Clause>[]; tests: NamedTest[] } {
  const chapters = chaptersOf(read(project, 'docs/audits.md'));
  const tests = chapters.pop()?.rows ?? [];
  return {
    rules: chapters.map(({ title, rows }) => ({
      title,
      rows: rows.map(([clause = '', asks = '', does = '', shown = '', notCovered = '']) => ({
        clause,
        asks,
        does,
        shownBy: shown === '' ? [] : shown.split(', ').map(Number),
        notCovered,
      })),
    })),
    tests: tests.map(([number, file = '', name = '']) => ({
      number: Number(number),
      file: file.replaceAll('`', ''),
      name,
    })),
  };
}

/** The requirements of docs/asvs.md by their chapters. */
export const readSecurity = (project: string): Chapter<SecurityRequirement>[] =>
  chaptersOf(read(project, 'docs/asvs.md')).map(({ title, rows }) => ({
    title,
    rows: rows.map(([number = '', level, asks = '', state = '', because = '']) => ({
      number,
      level: Number(level),
      asks,
      state,
      because,
    })),
  }));
