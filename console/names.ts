import { useAnswer, useLookUps } from './answers.ts';
import { type AnswerOf, api, read } from './api.ts';
import { strings } from './common-strings.ts';

/* Names of surveys, cases and people, which the lists of the service name by identifiers. */

const study = api.investigation[':id'];
export type Survey = AnswerOf<typeof study.surveys.$get>['surveys'][number];

export type Question = Survey['items'][number];

/** Null: the person may not see it. Absent: loading. */
export type Names = ReadonlyMap<string, string | null>;

/** The surveys of the study, the first thousand. */
export function useSurveys(id: string): readonly Survey[] {
  const { data } = useAnswer(['surveys', id], (signal) =>
    study.surveys.$get({ param: { id }, query: { limit: '1000' } }, { init: { signal } }),
  );
  return data?.surveys ?? [];
}

/**
 * The labels of these cases: from the first thousand of the study, which is all of most studies, and one by one for the
 * rest.
 */
export function useCaseLabels(id: string, wanted: readonly string[]): Names {
  const { data, loading } = useAnswer(['case-labels', id], (signal) =>
    study.cases.$get({ param: { id }, query: { status: 'all', limit: '1000' } }, { init: { signal } }),
  );
  const listed = new Map(data?.cases.map(({ identifier, label }) => [identifier, label]));
  const missing = loading ? [] : wanted.filter((one) => !listed.has(one));
  const found = useLookUps('case-label', missing, labelOf);
  return new Map([...found, ...listed]);
}

const labelOf = async (id: string) => (await read(api.case[':id'].$get({ param: { id } }))).label;

/** The names of people of the study; null for former members. Nobody stands for people whom participants do not see. */
export const usePeople = (ids: readonly string[]): Names => {
  const found = useLookUps(
    'person',
    ids.filter((one) => one !== nobody),
    personOf,
  );
  return ids.includes(nobody) ? new Map([...found, [nobody, strings.unseenPerson]]) : found;
};

const nobody = '0'.repeat(32);

/** The names of many people at once: from the first thousand members, and one by one for the rest. */
export function useMemberNames(id: string, wanted: readonly string[]): Names {
  const isWanted = wanted.length > 0;
  const { data, loading } = useAnswer(['member-names', id, isWanted], async (signal) =>
    isWanted
      ? study.members.$get({ param: { id }, query: { limit: '1000' } }, { init: { signal } })
      : { json: async () => undefined },
  );
  const listed = new Map(data?.members.map(({ identifier, name }) => [identifier, name]));
  const found = usePeople(loading ? [] : wanted.filter((one) => !listed.has(one)));
  return new Map([...found, ...listed]);
}

/** Cases or members to choose from: the first thousand of the study. */
export interface Choices {
  list: readonly { identifier: string; label: string }[];
  hasMore: boolean;
}

/** The cases of the study, for a field of a form. */
export function useCaseChoices(id: string): Choices {
  const { data } = useAnswer(['case-labels', id], (signal) =>
    study.cases.$get({ param: { id }, query: { status: 'all', limit: '1000' } }, { init: { signal } }),
  );
  return { list: data?.cases ?? [], hasMore: data?.next !== undefined };
}

/** The members of the study by name, with their codes, for a field of a form. */
export function useMemberChoices(id: string): Choices {
  const { data } = useAnswer(['member-choices', id], (signal) =>
    study.members.$get({ param: { id }, query: { limit: '1000' } }, { init: { signal } }),
  );
  const named = (data?.members ?? []).map(({ identifier, name, code }) => ({
    identifier,
    label: code === undefined ? name : `${name}, ${code}`,
  }));
  return {
    list: named.toSorted((a, b) => a.label.localeCompare(b.label)),
    hasMore: data?.next !== undefined,
  };
}

/** The person whose responses have this code; undefined if nobody who answered has it. */
export async function responderWithCode(id: string, code: string): Promise<string | undefined> {
  const { responses } = await read(
    study.responses.$get({ param: { id }, query: { code, status: 'all', limit: '1' } }),
  );
  return responses[0]?.responder;
}

/** The code of a responder, by one of their responses: former members have codes too. */
export function useResponderCode(id: string, responder: string): string | undefined {
  const { data } = useAnswer(['responder-code', id, responder], (signal) =>
    study.responses.$get(
      { param: { id }, query: { responder, status: 'all', limit: '1' } },
      { init: { signal } },
    ),
  );
  return data?.responses[0]?.code;
}

/** Undefined while they load. */
export const personIn = (people: Names, id: string): string =>
  people.has(id) ? (people.get(id) ?? strings.formerMember) : '';

/** The names of surveys. */
export const useSurveyNames = (ids: readonly string[]): Names => useLookUps('survey-name', ids, surveyOf);

const surveyOf = async (id: string) => (await read(api.survey[':id'].$get({ param: { id } }))).name;

const personOf = async (id: string) => (await read(api.user[':id'].$get({ param: { id } }))).name;
