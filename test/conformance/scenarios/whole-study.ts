import { signUp, stranger, type World } from '../support/people.ts';
import { eventually } from '../support/phones.ts';
import { newStudy } from '../support/studies.ts';

/** More than one chunk of the fan-out. */
const invited = 104;
const atOnce = 8;

/** Changed reminders reach every member of a study, in chunks, after the answer. */
export async function wholeStudy(world: World): Promise<void> {
  const { id, owner, survey } = await newStudy(world, 'whole study');
  await world.transcript.aside(async () => {
    const names = Array.from({ length: invited }, (_, n) => `Member ${n}`);
    const joinNext = async () => {
      for (let name = names.pop(); name !== undefined; name = names.pop()) {
        const { email } = await stranger(world, name);
        await owner.post(`/investigation/${id}/member`, { email, role: 'responder' });
        await signUp(world, name);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, joinNext));
  });
  const reminders = { type: 'rolling', recurrence: '0 12 * * *', notification: { subject: 'S', body: 'B' } };
  await owner.patch(`/survey/${survey}`, { reminders });
  await world.transcript.aside(async () => {
    const { body } = await owner.get(`/investigation/${id}/members?limit=1000`);
    for (const member of body.members.map((one: { identifier: string }) => one.identifier))
      await eventually(`a notification of member ${member}`, async () => {
        const answer = await owner.get(`/survey/${survey}/notifications?user=${member}`);
        return answer.body.notifications.length === 1 && answer.body.notifications[0].state === 'scheduled';
      });
    world.transcript.note('members', body.members.length);
  });
}
