import type { Drill, hashes, Licence, Versions } from './facts.ts';
import type { Chapter, Clause, SecurityRequirement } from './requirements.ts';
import type { TestResult } from './results.ts';

export interface Pack {
  at: string;
  versions: Versions;
  rules: Chapter<Clause>[];
  tests: TestResult[];
  security: Chapter<SecurityRequirement>[];
  licences: Licence[];
  builds: ReturnType<typeof hashes>;
  drill: Drill;
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** A cell of a table in markdown: code stays, a link becomes its text with its file. */
const inline = (markdown: string) =>
  escaped(markdown)
    .replace(/\[([^\]]+)\]\(([^)]+)\)/g, '$1 ($2)')
    .replace(/`([^`]+)`/g, '<code>$1</code>');

const table = (head: string[], rows: string[][]) =>
  `<table><thead><tr>${head.map((cell) => `<th>${cell}</th>`).join('')}</tr></thead><tbody>\n${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('\n')}\n</tbody></table>`;

const chapter = (level: number, title: string, ...parts: string[]) =>
  `<h${level}>${escaped(title)}</h${level}>\n${parts.join('\n')}`;

/** Whether all tests of a clause passed. */
export function stateOf({ does, shownBy }: Clause, tests: readonly TestResult[]): string {
  if (does === '') return 'not covered';
  const results = shownBy.map((number) => tests.find((test) => test.number === number)?.result ?? 'not run');
  if (results.includes('failed')) return 'failed';
  return results.includes('not run') ? 'not run' : 'shown';
}

const rule = ({ title, rows }: Chapter<Clause>, tests: readonly TestResult[]) =>
  chapter(
    2,
    title,
    table(
      ['clause', 'asks for', 'Fieldbell', 'tests', 'state', 'not covered, because'],
      rows.map((row) => [
        inline(row.clause),
        inline(row.asks),
        inline(row.does),
        row.shownBy.join(', '),
        stateOf(row, tests),
        inline(row.notCovered),
      ]),
    ),
  );

const count = (values: readonly string[]) => {
  const counts = Map.groupBy(values, (value) => value);
  return [...counts].map(([value, all]) => `${all.length} ${value}`).join(', ');
};

/** The report as one page, to be printed and filed. */
export function renderReport(pack: Pack): string {
  const { versions, rules, tests, security, licences, builds, drill } = pack;
  const requirements = security.flatMap(({ rows }) => rows);
  const summary = [
    ['Version', escaped(versions.fieldbell)],
    ['Commit', `${versions.commit}${versions.changed ? ', with changes that are not committed' : ''}`],
    ['Written', escaped(pack.at)],
    ...Object.entries(versions.packages).map(([name, version]) => [escaped(name), escaped(version)]),
    ['Tests', count(tests.map(({ result }) => result))],
    ...rules.map(({ title, rows }) => [escaped(title), count(rows.map((row) => stateOf(row, tests)))]),
    ['OWASP ASVS 5.0, levels 1 and 2', count(requirements.map(({ state }) => state))],
    ['Restore drill', `${drill.state}: <pre>${escaped(drill.output)}</pre>`],
  ];
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Validation of Fieldbell ${escaped(versions.fieldbell)}</title>
<style>
body { font: 10pt/1.4 sans-serif; margin: 2em; max-width: 75em }
table { border-collapse: collapse; width: 100%; margin: 1em 0 }
td, th { border: 1px solid #999; padding: .3em .5em; text-align: left; vertical-align: top }
thead { display: table-header-group } tr { break-inside: avoid } pre { white-space: pre-wrap; margin: 0 }
</style>
<h1>Validation of Fieldbell ${escaped(versions.fieldbell)}</h1>
<p>What the service does for each clause, and the tests that show it, with their results on this commit. The use of the
service is validated by those who use it: what is theirs is in the last column. “Shown” means that every named test has
passed; “not run”, that a report has no result of one.</p>
${table(['', ''], summary)}
${rules.map((one) => rule(one, tests)).join('\n')}
${chapter(
  2,
  'The tests',
  table(
    ['', 'file', 'test', 'result', 'cases'],
    tests.map(({ number, file, name, result, passed, failed }) => [
      String(number),
      `<code>${escaped(file)}</code>`,
      escaped(name),
      result,
      failed > 0 ? `${passed} passed, ${failed} failed` : String(passed),
    ]),
  ),
)}
${chapter(
  2,
  'OWASP ASVS 5.0, levels 1 and 2',
  ...security.map(({ title, rows }) =>
    chapter(
      3,
      title,
      table(
        ['number', 'level', 'asks for', 'state', 'shown by, or why'],
        rows.map(({ number, level, asks, state, because }) => [
          number,
          String(level),
          inline(asks),
          state,
          inline(because),
        ]),
      ),
    ),
  ),
)}
${chapter(
  2,
  'Packages and licences',
  table(
    ['package', 'version', 'licence', 'used by'],
    licences.map(({ name, version, licence, use }) => [name, version, licence, use].map(escaped)),
  ),
)}
${chapter(
  2,
  'Hashes of the builds (SHA-256)',
  ...builds.map(({ build, files }) =>
    chapter(
      3,
      build,
      files.length === 0
        ? '<p>Not built.</p>'
        : table(
            ['file', 'SHA-256'],
            files.map(({ path, sha256 }) => [escaped(path), `<code>${sha256}</code>`]),
          ),
    ),
  ),
)}
</html>
`;
}
