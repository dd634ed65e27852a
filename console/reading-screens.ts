import { Activity } from './features/activity/activity-screen.tsx';
import { AnswersScreen } from './features/items/answers-screen.tsx';
import { CaseScreen } from './features/items/case-screen.tsx';
import { Data } from './features/items/item-lists-screen.tsx';
import { ResponseScreen } from './features/items/response-screen.tsx';
import { SetAsideScreen } from './features/items/set-aside-screen.tsx';
import { Overview } from './features/overview/overview-screen.tsx';
import { Participants } from './features/participants/participant-list-screen.tsx';
import { ParticipantScreen } from './features/participants/participant-screen.tsx';

/** The screens that are open all day. They are one file of the build, which comes with the study. */
export const screens = {
  overview: Overview,
  participants: Participants,
  participant: ParticipantScreen,
  data: Data,
  case: CaseScreen,
  response: ResponseScreen,
  answers: AnswersScreen,
  setAside: SetAsideScreen,
  activity: Activity,
};
