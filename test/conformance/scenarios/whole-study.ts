import { eventually } from '../../support/eventually.ts';
import { newStudy } from '../../support/studies.ts';
import { joinStudy } from '../support/crowds.ts';
import type { ServiceWorld } from '../support/worlds.ts';

/** More than one chunk of the fan-out. */
const invited = 104;
/** Not while the test runs, wherever Paris is: the same for all runtimes. */
const hour = (new Date().getUTCHours() + 12) % 24;

/** Changed reminders reach every participant of a study, in chunks, after the answer. */
export async function wholeStudy(world: ServiceWorld): Promise<void> {
  const { id, owner, survey } = await newStudy(world, { of: 'whole study' });
  await world.transcript.aside(() => joinStudy(world, owner, id, invited));
  const reminders = {
    type: 'rolling',
    recurrence: `0 ${hour} * * *`,
    notification: { subject: 'S', body: 'B' },
  };
  await owner.patch(`/survey/${survey}`, { reminders });
  await world.transcript.aside(async () => {
    const { body } = await owner.get(`/investigation/${id}/members?limit=1000`);
    const participants = body.members.filter(({ role }: { role: string }) => role === 'responder');
    for (const { identifier: member } of participants)
      await eventually(`a notification of member ${member}`, async () => {
        const answer = await owner.get(`/survey/${survey}/notifications?user=${member}`);
        return answer.body.notifications.length === 1 && answer.body.notifications[0].state === 'scheduled';
      });
    world.transcript.note('members', body.members.length);
  });
}
