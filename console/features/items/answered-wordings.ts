import { givenIn, type Revision } from './response-content.ts';
import { useWordings, type Wording } from './wordings.ts';

/** The wording of each answer of a response's revisions, as it was asked when that answer was given; undefined while it loads. */
export function useAnsweredWordings(
  survey: string,
  revisions: readonly Revision[],
): (n: number, key: string) => Wording | undefined {
  const answered = (n: number, key: string) => {
    const at = givenIn(revisions, n, key);
    return at === undefined ? undefined : { survey, at };
  };
  const findWording = useWordings(
    revisions.flatMap(({ items }, n) => Object.keys(items).flatMap((key) => answered(n, key) ?? [])),
  );
  return (n, key) => {
    const answer = answered(n, key);
    return answer && findWording(answer);
  };
}
