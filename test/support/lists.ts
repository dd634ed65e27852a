import type { Answer, Person } from './people.ts';

/* Lists as files, and page by page. */

export const csv = { accept: 'text/csv' };
export const ndjson = { accept: 'application/x-ndjson' };

/** The bytes that begin a CSV file which says that it is UTF-8. */
export const mark = [0xef, 0xbb, 0xbf];

/** The rows of NDJSON, each of which ends with its line. */
export const linesOf = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** The lines of a CSV file as objects by the names of its columns. */
export function tableOf(text: string): Record<string, string>[] {
  const rows = [...text.matchAll(/((?:(?:"(?:[^"]|"")*"|[^",\r\n]*)(?:,|\r\n))+?)(?<=\r\n)/g)].map(([line]) =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(?:,|\r\n)/g)].map(([, cell = '']) =>
      cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
    ),
  );
  const [header = [], ...lines] = rows;
  return lines.map((cells) => Object.fromEntries(header.map((name, n) => [name, cells[n] ?? ''])));
}

/** The path of the next page. */
export const nextOf = ({ headers }: Answer): string | undefined =>
  /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];

/** The sort key that is in the `next` of a page, if it has one. */
export const keyIn = ({ body }: Answer): (string | number)[] | undefined =>
  body.next && JSON.parse(atob(body.next.replaceAll('-', '+').replaceAll('_', '/')));

/** The pages of a list from this one on, each by the link of the one before. */
export async function* linkedPages(by: Person, path: string, headers = {}): AsyncGenerator<Answer> {
  for (let next: string | undefined = path; next !== undefined; ) {
    const page = await by.get(next, headers);
    yield page;
    next = nextOf(page);
  }
}

/** All of them. */
export async function allPages(by: Person, path: string): Promise<Answer[]> {
  const pages: Answer[] = [];
  for await (const page of linkedPages(by, path)) pages.push(page);
  return pages;
}
