import { newIdentifier } from '../../../client/client.ts';
import { type AnswerOf, api, read } from '../../api.ts';
import type { Grouped } from '../../groups.ts';
import type { FilledCourse } from '../dates/courses.ts';

const ofStudy = api.investigation[':id'];

export type CodePage = AnswerOf<typeof ofStudy.enrolments.$get>;
export type Code = CodePage['enrolments'][number];

export interface Wanted extends Partial<FilledCourse>, Grouped {
  howMany: number;
  uses: number;
  label?: string;
  expiresAt?: string;
}

/** Requests under way at once: the service numbers codes as they come, and limits the requests of a person. */
const atOnce = 4;

/**
 * A batch of codes, each under an identifier chosen here: `make` goes on after a failure, and makes none twice.
 * `onMade` hears how many there are.
 */
export function newBatch(study: string, { howMany, ...wanted }: Wanted) {
  const missing = Array.from({ length: howMany }, () => newIdentifier());
  const made: Code[] = [];
  const makeNext = async (onMade: (n: number) => void) => {
    for (let identifier = missing.pop(); identifier !== undefined; identifier = missing.pop())
      try {
        made.push(
          await read(ofStudy.enrolment.$post({ param: { id: study }, json: { ...wanted, identifier } })),
        );
        onMade(made.length);
      } catch (error) {
        missing.push(identifier);
        throw error;
      }
  };
  return async (onMade: (n: number) => void): Promise<Code[]> => {
    const all = await Promise.allSettled(Array.from({ length: atOnce }, () => makeNext(onMade)));
    const failed = all.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    return made.toSorted((a, b) => (a.number ?? 0) - (b.number ?? 0));
  };
}
