import { useAnswer, useLookUps } from './answers.ts';
import { type AnswerOf, api, read } from './api.ts';
import { strings } from './common-strings.ts';
import { type AskPage, type RequestOptions, readPage } from './list-pages.ts';

/* Names of surveys, cases and people, which the lists of the service name by identifiers. */

/** The identifier at the end of a reference. */
export const idOf = (reference: string): string => reference.split('/').at(-1) ?? '';

const study = api.investigation[':id'];
export type Survey = AnswerOf<typeof study.surveys.$get>['surveys'][number];

export type Question = Survey['items'][number];

/** Null: the person may not see it. Absent: loading. */
export type Names = ReadonlyMap<string, string | null>;

/** The surveys of the study, the first thousand. */
export function useSurveys(id: string): readonly Survey[] {
  const { data } = useAnswer(['surveys', id], (options) =>
    study.surveys.$get({ param: { id }, query: { limit: '1000' } }, options),
  );
  return data?.surveys ?? [];
}

/** The first thousand cases of the study, which is all of most studies. */
const useCases = (id: string) =>
  useAnswer(
    ['case-labels', id],
    whole((cursor, options) =>
      study.cases.$get({ param: { id }, query: { status: 'all', limit: '1000', cursor } }, options),
    ),
  );

/** The first thousand of a list: with pages that are short because the viewer sees only a part of the study. */
export const whole =
  <P extends { next?: string | undefined }>(ask: AskPage<P>) =>
  async ({ init }: RequestOptions) => {
    const page = await readPage(ask, { limit: 1000, signal: init.signal });
    return { json: async () => page };
  };

/** The labels of these cases: those beyond the first thousand are looked up one by one. */
export function useCaseLabels(id: string, wanted: readonly string[]): Names {
  const { data, loading } = useCases(id);
  const listed = new Map(data?.cases.map(({ identifier, label }) => [identifier, label]));
  const missing = loading ? [] : wanted.filter((id) => !listed.has(id));
  const names = useLookUps('case-label', missing, labelOf);
  return new Map([...names, ...listed]);
}

const labelOf = async (id: string) => (await read(api.case[':id'].$get({ param: { id } }))).label;

/** The names of people of the study; null for former members. Nobody stands for people whom participants do not see. */
export const usePeople = (ids: readonly string[]): Names => {
  const names = useLookUps(
    'person',
    ids.filter((id) => id !== nobody),
    personOf,
  );
  return ids.includes(nobody) ? new Map([...names, [nobody, strings.unseenPerson]]) : names;
};

const nobody = '0'.repeat(32);

/** The names of many people at once: from the first thousand members, and one by one for the rest. */
export function useMemberNames(id: string, wanted: readonly string[]): Names {
  const isWanted = wanted.length > 0;
  const { data, loading } = useAnswer(
    ['member-names', id, isWanted],
    isWanted &&
      whole((cursor, options) =>
        study.members.$get({ param: { id }, query: { limit: '1000', cursor } }, options),
      ),
  );
  const listed = new Map(data?.members.map(({ identifier, name }) => [identifier, name]));
  const names = usePeople(loading ? [] : wanted.filter((id) => !listed.has(id)));
  return new Map([...names, ...listed]);
}

/** Cases or members to choose from: the first thousand of the study. */
export interface Choices {
  list: readonly { identifier: string; label: string }[];
  hasMore: boolean;
}

/** The cases of the study, for a field of a form. */
export function useCaseChoices(id: string): Choices {
  const { data } = useCases(id);
  return { list: data?.cases ?? [], hasMore: data?.next !== undefined };
}

/** The members of the study by name, with their codes, for a field of a form. */
export function useMemberChoices(id: string): Choices {
  const { data } = useAnswer(
    ['member-choices', id],
    whole((cursor, options) =>
      study.members.$get({ param: { id }, query: { limit: '1000', cursor } }, options),
    ),
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
  const { data } = useAnswer(['responder-code', id, responder], (options) =>
    study.responses.$get({ param: { id }, query: { responder, status: 'all', limit: '1' } }, options),
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
