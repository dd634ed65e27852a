import type { Drill, hashes, Licence, readVersions } from './facts.ts';
import type { Chapter, Clause, SecurityRequirement } from './requirements.ts';
import type { TestResult } from './results.ts';

export interface Pack {
  at: string;
  versions: ReturnType<typeof readVersions>;
  rules: Chapter<Clause>[];
  tests: TestResult[];
  security: Chapter<SecurityRequirement>[];
  licences: Licence[];
  builds: ReturnType<typeof hashes>;
  drill: Drill;
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** A cell of a table: code in markdown stays, a link becomes its text with its file. */
const cell = (value: string | number) =>
  escaped(String(value))
    .replace(/\[([^\]]+)\]\(([^)]+)\)/g, '$1 ($2)')
    .replace(/`([^`]+)`/g, '<code>$1</code>');

const table = (head: string[], rows: (string | number)[][]) => {
  const row = (tag: string, values: (string | number)[]) =>
    `<tr>${values.map((value) => `<${tag}>${cell(value)}</${tag}>`).join('')}</tr>`;
  return `<table><thead>${row('th', head)}</thead><tbody>\n${rows.map((values) => row('td', values)).join('\n')}\n</tbody></table>`;
};

const chapter = (level: number, title: string, ...parts: string[]) =>
  `<h${level}>${escaped(title)}</h${level}>\n${parts.join('\n')}`;

/** Whether all tests of a clause passed. */
function stateOf({ does, shownBy }: Clause, tests: readonly TestResult[]): string {
  if (does === '') return 'not covered';
  const results = shownBy.map((number) => tests.find((test) => test.number === number)?.result ?? 'not run');
  if (results.includes('failed')) return 'failed';
  return results.includes('not run') ? 'not run' : 'shown';
}

const count = (values: readonly string[]) =>
  [...Map.groupBy(values, (value) => value)].map(([value, all]) => `${all.length} ${value}`).join(', ');

/** The report as one page, to be printed and filed. */
export function renderReport({
  at,
  versions,
  rules,
  tests,
  security,
  licences,
  builds,
  drill,
}: Pack): string {
  const requirements = security.flatMap(({ rows }) => rows);
  const summary = [
    ['Version', versions.fieldbell],
    ['Commit', `${versions.commit}${versions.changed ? ', with changes that are not committed' : ''}`],
    ['Written', at],
    ...Object.entries(versions.packages),
    ['Tests', count(tests.map(({ result }) => result))],
    ...rules.map(({ title, rows }) => [title, count(rows.map((row) => stateOf(row, tests)))]),
    ['OWASP ASVS 5.0, levels 1 and 2', count(requirements.map(({ state }) => state))],
    ['Restore drill', drill.state],
  ];
  const clauses = ['clause', 'asks for', 'Fieldbell', 'tests', 'state', 'not covered, because'];
  const chapters = [
    ...rules.map(({ title, rows }) => {
      const cells = rows.map((row) => [
        ...[row.clause, row.asks, row.does, row.shownBy.join(', ')],
        ...[stateOf(row, tests), row.notCovered],
      ]);
      return chapter(2, title, table(clauses, cells));
    }),
    chapter(
      2,
      'The tests',
      table(
        ['', 'file', 'test', 'result', 'cases'],
        tests.map(({ number, file, name, result, passed, failed }) => {
          const cases = failed > 0 ? `${passed} passed, ${failed} failed` : passed;
          return [number, `\`${file}\``, name, result, cases];
        }),
      ),
    ),
    chapter(2, 'OWASP ASVS 5.0, levels 1 and 2'),
    ...security.map(({ title, rows }) => {
      const head = ['number', 'level', 'asks for', 'state', 'shown by, or why'];
      const cells = rows.map(({ number, level, asks, state, because }) => [
        number,
        level,
        asks,
        state,
        because,
      ]);
      return chapter(3, title, table(head, cells));
    }),
    chapter(
      2,
      'Packages and licences',
      table(
        ['package', 'version', 'licence', 'used by'],
        licences.map(({ name, version, licence, use }) => [name, version, licence, use]),
      ),
    ),
    chapter(2, 'Hashes of the builds (SHA-256)'),
    ...builds.map(({ build, files }) => {
      const cells = files.map(({ path, sha256 }) => [path, `\`${sha256}\``]);
      return chapter(3, build, files.length > 0 ? table(['file', 'SHA-256'], cells) : '<p>Not built.</p>');
    }),
    chapter(2, 'Restore drill', `<pre>${escaped(drill.output)}</pre>`),
  ];
  const title = `Validation of Fieldbell ${escaped(versions.fieldbell)}`;
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${title}</title>
<style>
body { font: 10pt/1.4 sans-serif; margin: 2em; max-width: 75em }
table { border-collapse: collapse; width: 100%; margin: 1em 0 }
td, th { border: 1px solid #999; padding: .3em .5em; text-align: left; vertical-align: top }
thead { display: table-header-group } tr { break-inside: avoid } pre { white-space: pre-wrap; margin: 0 }
</style>
<h1>${title}</h1>
<p>What the service does for each clause, and the tests that show it, with their results on this commit. The use of the
service is validated by those who use it: what is theirs is in the last column. “Shown” means that every named test has
passed; “not run”, that a report has no result of one.</p>
${table(['', ''], summary)}
${chapters.join('\n')}
</html>
`;
}
