import { type ApiOptions, signIn } from '../api.ts';
import type { Participant } from './guides.ts';

interface Item {
  identifier: string;
}

/** The people of the guides: the coordinator's token, and two participants. */
export async function guidePeople(options: ApiOptions & { platforms: readonly string[] }) {
  const coordinator = await signIn(options, { subject: 'guide-ada', email: 'ada.lindqvist@example.org' });
  await coordinator.call('POST', '/user', { name: 'Ada Lindqvist', timeZone });
  const participants = [
    await participantOf(options, 'Chidi Okafor'),
    await participantOf(options, 'Dana Weber'),
  ] as const;
  return { token: coordinator.token, participants };
}

const timeZone = 'Europe/Paris';

async function participantOf(
  options: ApiOptions & { platforms: readonly string[] },
  name: string,
): Promise<Participant> {
  const email = `${name.toLowerCase().replace(' ', '.')}@example.org`;
  const { call } = await signIn(options, { subject: `guide-${email}`, email });
  const surveyOf = async (study: string) => {
    const { surveys } = await call<{ surveys: Item[] }>('GET', `/investigation/${study}/surveys`);
    return surveys[0]?.identifier;
  };
  return {
    email,
    join: () => call('POST', '/user', { name, timeZone }),
    async open(study) {
      const [platform] = options.platforms;
      await call('POST', '/user/me/device', { platform, token: `guide-${email}`, timeZone });
      await call('POST', `/survey/${await surveyOf(study)}/download`);
    },
    async answer(study, label) {
      const { identifier } = await call<Item>('POST', `/investigation/${study}/case`, { label });
      const body = { case: identifier, items: { asleep: '75' } };
      await call('POST', `/survey/${await surveyOf(study)}/response`, body);
    },
  };
}
