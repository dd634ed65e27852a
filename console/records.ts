import { useEffect } from 'preact/hooks';
import { useStudy } from './study-context.ts';

/*
 * The list that a person came from, so that its records can be read one after another. The session keeps the last list of
 * each kind, also through a reload.
 */

type Kind = 'participants' | 'cases' | 'responses';

const nameOf = (study: string, kind: Kind) => `fieldbell.list.${study}.${kind}`;
const maxKept = 2_000;

/** Keeps a list once it is read. */
export function useKeptList(kind: Kind, ids: readonly string[] | undefined): void {
  const { id } = useStudy();
  useEffect(() => {
    if (ids) sessionStorage.setItem(nameOf(id, kind), JSON.stringify(ids.slice(0, maxKept)));
  }, [ids?.join()]);
}

/** The records before and after one, as far as the list was read; undefined if it is not in the list. */
export function neighbours(study: string, kind: Kind, id: string) {
  let ids: string[] = [];
  try {
    ids = JSON.parse(sessionStorage.getItem(nameOf(study, kind)) ?? '[]') as string[];
  } catch {
    // Text of another version.
  }
  const at = ids.indexOf(id);
  return at < 0 ? undefined : { before: ids[at - 1], after: ids[at + 1], place: at + 1, of: ids.length };
}
