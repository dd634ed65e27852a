import { endpointOf, ids } from '../support/study-rows.ts';

export { dateAfter, localTime, timeZone } from './local-time.ts';

/** A participant with one phone. */
export interface Person {
  id: string;
  /** The phone's endpoint at the SNS. */
  endpoint: string;
}

/** The study of a run; everyone is reminded of its survey each day. */
export const study = { owner: ids.owner, investigation: ids.study(0), survey: ids.survey(0) };

/** The members of the study. */
export const membersOf = (size: number): Person[] =>
  Array.from({ length: size }, (_, n) => ({ id: ids.member(n), endpoint: endpointOf(n) }));
