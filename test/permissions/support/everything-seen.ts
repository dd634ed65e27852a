import { type Known, pathsOf, queriesOf, type ReadingRoute } from '../../../simulator/questions.ts';
import type { Answer, Person } from '../../support/people.ts';

/** A request with everything that its answer says: status, headers, text, and its cursor before it was encoded. */
export interface Seen {
  route: string;
  request: string;
  status: number;
  text: string;
}

const csv = { accept: 'text/csv' };
const ndjson = { accept: 'application/x-ndjson' };

const textOf = ({ text, headers, body }: Answer): string => {
  const cursors = [...text.matchAll(/"(?:next|mark|cursor)":"([\w-]+)"/g), [0, headers.get('x-next') ?? '']];
  const decoded = cursors.map(([, cursor]) => decode(String(cursor)));
  const told = [...headers].filter(([name]) => name !== 'x-request-id');
  return `${text} ${JSON.stringify(told)} ${decoded.join(' ')} ${decode(String(body?.next ?? ''))}`;
};

function decode(cursor: string): string {
  try {
    return atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}

const maxPages = 5;

/** Everything that somebody reads by the routes of the document: each path, query and format, and the pages that follow. */
export async function everythingSeen(
  by: Person,
  routes: readonly ReadingRoute[],
  known: Known,
): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const route of routes) {
    const formats = [{}, ...[csv, ndjson].filter(({ accept }) => route.formats.includes(accept))];
    const queries = queriesOf(route, known);
    for (const path of pathsOf(route.path, known))
      for (const query of queries)
        for (const format of formats) {
          let url = query ? `${path}?${query}` : path;
          for (let page = 0; page < maxPages; page++) {
            const answer = await by.get(url, format);
            seen.push({
              route: `GET ${route.path}`,
              request: `${url} ${JSON.stringify(format)}`,
              status: answer.status,
              text: textOf(answer),
            });
            const { next } = answer.body ?? {};
            if (typeof next !== 'string') break;
            url = `${path}?${[...query.split('&').filter((one) => one && !one.startsWith('cursor=')), `cursor=${next}`].join('&')}`;
          }
        }
  }
  return seen;
}
