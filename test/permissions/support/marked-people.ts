import { expect } from 'vitest';
import { enrol, newCode, participantOf } from '../../support/participants.ts';
import { created, type Person } from '../../support/people.ts';
import { newProgram } from '../../support/programs.ts';
import { lock, newCase, newMember, newResponse } from '../../support/studies.ts';
import { later } from '../../support/worker/clock.ts';
import { newSetAside } from '../../support/worker/set-asides.ts';
import { newPhone, signUp, sleepStudy, world } from '../../support/worker/world.ts';

/** Everything by which an answer may tell somebody: identifiers, names, addresses, codes. */
export type Marks = Record<string, readonly string[]>;

/** Asserts that a request succeeded. */
const done = ({ status, text }: { status: number; text: string }) => expect(status, text).toBeLessThan(300);

/**
 * A study in which three participants meet wherever they can. Chidi made two cases, one of which is locked by him, and Dana
 * and Pia, who came by a code, answered for both. Each answer was edited by Chidi while he was an editor. While he was an
 * owner he invited Faye. They meet owners and editors, too: in a case of the owner's, in edits by the editor, and in the
 * owner's invitations. A monitor, whom they do not see, and a program are there, too. Everybody has a marked name and a code, a phone and a pause.
 */
export async function markedStudy() {
  const study = await sleepStudy({
    type: 'rolling',
    recurrence: '30 21 * * *',
    notification: { subject: 'Diary', body: 'How was your day?' },
  });
  const { id, owner, editor, responder: chidi, other: dana } = study;
  const poster = await newCode(owner, id, { label: 'A poster', uses: 9 });
  const pia = participantOf(world, await enrol(world, poster.code, { name: 'Mark of Pia' }));
  const faye = await signUp('Faye');
  const mona = await newMember(world, study, 'Mona', 'monitor');
  const program = await newProgram(world, owner, id, { label: 'Mark of program' });
  const people = { owner, editor, mona, chidi, dana, pia, faye };
  const marks: Record<string, string[]> = { program: [program.id, program.name] };
  for (const [who, person] of Object.entries(people)) {
    const [name, code] = [`Mark of ${who}`, `CODE-${who.toUpperCase()}`];
    done(await person.patch('/user/me', { name }));
    if (person !== faye) done(await owner.patch(`/investigation/${id}/member/${person.id}`, { code }));
    marks[who] = [person.id, name, code, ...(person.email === '' ? [] : [person.email])];
  }
  const role = async (user: Person, to: string) =>
    done(await owner.patch(`/investigation/${id}/member/${user.id}`, { role: to }));
  const night = await newCase(study, chidi, 'A night of somebody');
  const nap = await newCase(study, chidi, 'A nap of somebody');
  const dawn = await newCase(study, owner, 'A dawn');
  const answers = new Map<Person, string>();
  for (const person of [chidi, dana, pia]) {
    await newPhone(person);
    done(await person.post(`/survey/${study.survey}/download`, {}));
    done(await person.put('/user/me/pause', { until: null }));
    await newResponse(study, person, nap);
    await newResponse(study, person, dawn);
    answers.set(person, await newResponse(study, person, night));
  }
  await role(chidi, 'editor');
  later(2000);
  for (const answer of answers.values())
    done(await chidi.patch(`/response/${answer}`, { items: { q2: 'at seven' }, reason: 'They told me.' }));
  for (const answer of answers.values())
    done(await editor.patch(`/response/${answer}`, { items: { q2: 'at eight' } }));
  await role(chidi, 'owner');
  done(await chidi.post(`/investigation/${id}/member`, { email: faye.email, role: 'editor' }));
  await role(chidi, 'responder');
  const food = created(await owner.post('/investigation', { name: 'Food' })).identifier;
  for (const { email } of [chidi, dana, faye])
    done(await owner.post(`/investigation/${food}/member`, { email, role: 'responder' }));
  done(await lock(chidi, study, { cases: [nap] }));
  done(await lock(dana, study, { cases: [nap] }, 'unlocked'));
  done(await lock(chidi, study, { cases: [nap] }));
  done(await lock(mona, study, { cases: [night] }));
  const webhook = created(
    await owner.post(`/investigation/${id}/webhook`, { url: 'https://hooks.example.org/' }),
  ).identifier as string;
  const device = (await chidi.get('/user/me')).body.devices[0] as string;
  const setAside = await newSetAside(study);
  return { study, program, setAside, people, marks, answers, night, nap, dawn, poster, webhook, device };
}
