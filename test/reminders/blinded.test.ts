import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { deliver } from '../support/engine.ts';
import type { Answer, Person } from '../support/people.ts';
import { newMember, type Study } from '../support/studies.ts';
import { setClock, startOfTests } from '../support/worker/clock.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { blindedArm, bound, declare, newSurvey, regroup, site } from '../support/worker/groups.ts';
import { daily, history, jobsDone, pendingOf, remind } from '../support/worker/reminders.ts';
import { newPhone, signUp, sleepStudy, world } from '../support/worker/world.ts';
import { ringAt } from './support/nudges.ts';

const at = (time: string, on = '2027-03-01') => Date.parse(`${on}T${time}:00.000Z`);
const hourly = (hour: number) => ({ ...daily, recurrence: `0 ${hour} * * *` });

/** Chidi is in the blinded arm b, in Lyon, and Dana in arm a, in Paris. Everybody has a diary at noon. */
async function trial(reminders: object | null = hourly(12)) {
  setClock(startOfTests);
  const study = await sleepStudy();
  await declare(study, site, blindedArm);
  await regroup(study, study.responder, { site: 'lyon', arm: 'b' });
  await regroup(study, study.other, { site: 'paris', arm: 'a' });
  for (const person of [study.responder, study.other]) await newPhone(person);
  await remind(study, reminders);
  return { study, chidi: study.responder, dana: study.other };
}

async function deliverAt(user: Person, instant: number, pushesPerDay: number) {
  setClock(instant);
  const alarms = { arm: async () => {}, deliver: async () => {} };
  await deliver({ ...createServices(env), alarms, log: () => {}, pushesPerDay }, user.id);
}

/** Somebody's reminders as a member of staff sees them: `11:00 sent`. */
const seenBy = async ({ id }: Study, by: Person, of: Person) => {
  const { notifications } = (await by.get(`/investigation/${id}/notifications?user=${of.id}`)).body;
  return (notifications as { on: string; dueAt: string; state: string; reason?: string }[])
    .filter(({ on }) => on === '2027-03-01')
    .map(({ dueAt, state, reason }) => `${dueAt.slice(11, 16)} ${reason ?? state}`)
    .toReversed();
};

describe('the limit of a day', () => {
  test('is used up by blinded surveys for themselves, and never for those that all staff see', async () => {
    const { study, chidi, dana } = await trial();
    await newSurvey(study, { reminders: hourly(20) });
    for (const hour of [10, 11, 21, 22])
      await newSurvey(study, { reminders: hourly(hour), for: { arm: ['b'] } });
    await jobsDone();
    await pendingOf(chidi, 6);
    for (const hour of ['09:00', '10:00', '11:00', '19:00', '20:00', '21:00'])
      for (const person of [chidi, dana]) await deliverAt(person, at(hour), 2);
    // Both arms look the same, though Chidi had two pushes before noon.
    for (const person of [chidi, dana])
      expect(await seenBy(study, study.editor, person)).toEqual(['11:00 sent', '19:00 sent']);
    expect(await seenBy(study, study.owner, chidi)).toEqual([
      '09:00 sent',
      '10:00 sent',
      '11:00 sent',
      '19:00 sent',
      '20:00 too-many',
      '21:00 too-many',
    ]);
  });

  test('looks the same when all come due at once, nudges and skipped ones included', async () => {
    const nudging = { ...hourly(12), followUps: { every: 30, max: 2, stop: 'answered' } };
    const { study, chidi, dana } = await trial(nudging);
    for (let n = 0; n < 3; n++) await newSurvey(study, { reminders: nudging, for: { arm: ['b'] } });
    await newSurvey(study, { reminders: { ...nudging, recurrence: '0 13 * * *' } });
    await jobsDone();
    await pendingOf(chidi, 5);
    for (const time of ['11:00', '11:30', '12:00', '12:30', '13:00'])
      for (const person of [chidi, dana]) await deliverAt(person, at(time), 3);
    const shownOf = async (person: Person) =>
      (
        await study.editor.get(`/investigation/${study.id}/notifications?user=${person.id}`)
      ).body.notifications.map(({ dueAt, state, reason, followUps }: Record<string, object>) => ({
        dueAt,
        state,
        reason,
        followUps,
      }));
    const without = (text: object) => JSON.stringify(text).replace(/"(device|messageId)":"[^"]+"/g, '');
    expect(without(await shownOf(chidi))).toBe(without(await shownOf(dana)));
    const [all, visible] = [study.owner, study.editor].map((by) => seenBy(study, by, chidi));
    expect((await all)?.length).toBeGreaterThan((await visible)?.length ?? 0);
  });
});

test('a phone that is lost is found so by the reminders that all staff see, in each arm', async () => {
  const { study, chidi, dana } = await trial();
  await newSurvey(study, { reminders: hourly(10), for: { arm: ['b'] } });
  await jobsDone();
  await pendingOf(chidi, 2);
  const alarms = { arm: async () => {}, deliver: async () => {} };
  const services = { ...createServices(env), alarms, log: () => {} };
  const push = { ...services.push, send: async () => ({ state: 'gone', error: 'Gone' }) as const };
  for (const time of ['09:00', '11:00'])
    for (const { id } of [chidi, dana]) {
      setClock(at(time));
      await deliver({ ...services, push }, id);
    }
  for (const person of [chidi, dana]) {
    expect(await seenBy(study, study.editor, person)).toEqual(['11:00 relay']);
    expect((await person.get('/user/me/devices')).body.devices).toMatchObject([{ enabled: false }]);
  }
  expect(await seenBy(study, study.owner, chidi)).toEqual(['09:00 relay', '11:00 relay']);
});

describe('the reminders of others', () => {
  test('are those of the reader’s part of the study; people elsewhere are strangers', async () => {
    const { study, chidi, dana } = await trial();
    const monitor = await newMember(world, study, 'Mona', 'monitor');
    await bound(study, monitor, { site: ['lyon'] });
    for (const person of [chidi, dana]) await ringAt(person, at('11:00'));
    const stranger = await signUp('Sam');
    const asks = [
      ({ id }: Person) => monitor.get(`/investigation/${study.id}/notifications?user=${id}`),
      ({ id }: Person) => monitor.get(`/survey/${study.survey}/notifications?user=${id}`),
      ({ id }: Person) => monitor.get(`/survey/${study.survey}/reminders/upcoming?user=${id}`),
      ({ id }: Person) => monitor.get(`/user/${id}/time-zones`),
    ];
    const seen = ({ status, body }: Answer) => [status, body.code, body.detail];
    for (const ask of asks) {
      expect((await ask(chidi)).status).toBe(200);
      expectProblem(await ask(dana), 'resource.not-found');
      expect(seen(await ask(dana))).toEqual(seen(await ask(stranger)));
    }
    for (const person of [chidi, dana])
      for (const { identifier, state } of await history(person)) {
        const { status } = await monitor.get(`/notification/${identifier}`);
        expect([state, status]).toEqual([state, person === chidi ? 200 : 404]);
      }
    // Somebody who has left is where they were.
    await study.owner.delete(`/investigation/${study.id}/member/${chidi.id}`);
    const [, sent] = await history(chidi);
    expect((await monitor.get(`/notification/${sent.identifier}`)).status).toBe(200);
  });

  test('are shown without blinded surveys, but to owners and to the person', async () => {
    const { study, chidi } = await trial();
    const pain = await newSurvey(study, { reminders: hourly(10), for: { arm: ['b'] } });
    await jobsDone();
    await pendingOf(chidi, 2);
    for (const time of ['09:00', '11:00']) await ringAt(chidi, at(time));
    expect(await seenBy(study, study.owner, chidi)).toEqual(['09:00 sent', '11:00 sent']);
    expect(await seenBy(study, study.editor, chidi)).toEqual(['11:00 sent']);
    const own = await history(chidi);
    expect(own).toHaveLength(4);
    for (const { identifier, survey } of own) {
      expect((await study.owner.get(`/notification/${identifier}`)).status).toBe(200);
      const { status } = await study.editor.get(`/notification/${identifier}`);
      expect([survey, status]).toEqual([survey, survey === pain ? 404 : 200]);
    }
    const { occurrences } = (await chidi.get('/user/me/agenda')).body;
    expect(occurrences.map(({ survey }: { survey: string }) => survey)).toContain(pain);
    // No page ends where a blinded reminder would be.
    const path = `/investigation/${study.id}/notifications?user=${chidi.id}&limit=1`;
    const first = (await study.editor.get(path)).body;
    const second = (await study.editor.get(`${path}&cursor=${first.next}`)).body;
    expect([...first.notifications, ...second.notifications]).toHaveLength(2);
    expect(second.next).toBeUndefined();
  });

  test('never come for a blinded survey to those of its staff who do not see it', async () => {
    const { study } = await trial(null);
    const { editor, owner } = study;
    for (const by of [editor, owner]) {
      await newPhone(by);
      await regroup(study, by, { arm: 'b' });
    }
    await newSurvey(study, { reminders: hourly(12), for: { arm: ['b'] } });
    await jobsDone();
    await pendingOf(owner);
    for (const by of [editor, owner]) await ringAt(by, at('11:00'));
    expect((await history(owner)).map(({ state }) => state)).toEqual(['scheduled', 'sent']);
    expect(await history(editor)).toEqual([]);
    expect((await editor.get('/user/me/agenda')).body.occurrences).toEqual([]);
    // Once it is blinded no more, they take it.
    await declare(study, site, { ...blindedArm, blinded: false });
    await jobsDone();
    await pendingOf(editor);
    await declare(study, site, blindedArm);
    await jobsDone();
    await ringAt(editor, at('11:01'));
    expect((await history(editor))[0]).toMatchObject({ state: 'invalidated', reason: 'not-in-group' });
  });
});

test('a change of reminders is shown for the reader’s part of the study, in pages that reach all of it', async () => {
  const { study, chidi, dana } = await trial();
  const { editor } = study;
  const others = [];
  for (const name of ['Emil', 'Fatou', 'Greta']) {
    const person = await newMember(world, study, name, 'responder');
    await regroup(study, person, { site: name === 'Fatou' ? 'paris' : 'lyon' });
    others.push(person);
  }
  await jobsDone();
  await bound(study, editor, { site: ['lyon'] });
  const ask = async (by: Person, body: object) => {
    const answer = await by.post(`/survey/${study.survey}/reminders/change`, {
      reminders: hourly(8),
      ...body,
    });
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  expect(await ask(study.owner, {})).toMatchObject({ people: 5, moved: 5 });
  const shown = await ask(editor, {});
  expect(shown).toMatchObject({ people: 3, moved: 3 });
  const lyon = [chidi, ...others.filter(({ name }) => name !== 'Fatou')].map(({ id }) => id).sort();
  expect(shown.page.map(({ user }: { user: string }) => user)).toEqual(lyon);
  expect(JSON.stringify(shown)).not.toContain(dana.id);
  const paged: string[] = [];
  for (let cursor: string | undefined, n = 0; n < 5; n++) {
    const { page, next } = await ask(editor, { limit: 1, ...(cursor && { cursor }) });
    paged.push(...page.map(({ user }: { user: string }) => user));
    cursor = next;
    if (!next) break;
  }
  expect(paged).toEqual(lyon);
});
