// In an app of its own: from '@fieldbell/client'.
import { type Client, newIdentifier, ProblemError } from '../client/client.ts';

/** Waits for this many milliseconds. */
const pause = (ms: number) => new Promise<unknown>((resolve) => setTimeout(resolve, ms));
const longestPauseMs = 60_000;

/**
 * An app's first launch: signs up, registers its phone, downloads a survey and answers it.
 * @throws ProblemError when the service refuses a request
 */
export async function firstLaunch(
  { api }: Client,
  phone: { platform: string; token: string },
  { now = new Date(), sleep = pause } = {},
) {
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const me = await (await api.user.$post({ json: { name: 'Chidi', timeZone } })).json();
  await api.user[':id'].device.$post({ param: { id: 'me' }, json: { ...phone, timeZone } });

  // Signing up has accepted the invitation to the study.
  const { investigations } = await (await api.investigation.$get()).json();
  const [study] = investigations;
  if (!study) return { me, answered: null };
  const { surveys } = await (
    await api.investigation[':id'].surveys.$get({ param: { id: study.identifier } })
  ).json();
  const [survey] = surveys;
  if (!survey) return { me, answered: null };
  // The survey's `fixed` reminders start today.
  await api.survey[':id'].download.$post({ param: { id: survey.identifier } });

  // Made once and kept until the requests succeed, so that repeating them never creates a second answer.
  const night = { label: `Night of ${now.toLocaleDateString('en-CA')}`, identifier: newIdentifier() };
  const items = Object.fromEntries(survey.items.map((item) => [item.identifier, answerTo(item)]));
  const answer = { case: night.identifier, items, identifier: newIdentifier() };
  for (let pauseMs = 500; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      await api.investigation[':id'].case.$post({ param: { id: study.identifier }, json: night });
      await api.survey[':id'].response.$post({ param: { id: survey.identifier }, json: answer });
      return { me, answered: answer.identifier };
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      await sleep(pauseMs); // offline: until the network is back
    }
  }
}

interface Item {
  answer?:
    | {
        kind: string;
        min?: number | undefined;
        max?: number | undefined;
        options?: { value: string }[] | undefined;
      }
    | undefined;
}

/** A possible answer: an app shows a field for each kind of answer. An item without a kind takes any text. */
function answerTo({ answer }: Item): string {
  switch (answer?.kind) {
    case 'yes-no':
      return 'yes';
    case 'number':
    case 'scale':
      return String(answer.min ?? answer.max ?? 0);
    case 'choice':
    case 'choices':
      return answer.options?.[0]?.value ?? '';
    case 'time':
      return '22:30';
    case 'date':
      return '2027-03-01';
    default:
      return 'well';
  }
}
