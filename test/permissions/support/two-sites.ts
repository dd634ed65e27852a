import { enrol, newCode, participantOf } from '../../support/participants.ts';
import { created, type Person, personWith, signedIn, signUp } from '../../support/people.ts';
import { responseIn } from '../../support/studies.ts';
import type { LocalApp } from './local-app.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** In every text that somebody of Lyon wrote, or that is about Lyon alone. */
export const lyonMark = 'LEAK';
/** In every text of the blinded survey, and of the property, which is blinded with it: nobody but owners reads the feed then. */
export const blindMark = 'BLIND';

const arm = `${blindMark}arm`;
const [armA, armB] = [`${blindMark}-a`, `${blindMark}-b`];

const done = ({ status, text }: { status: number; text: string }) => {
  if (status >= 300) throw new Error(`${status} ${text}`);
};

const reminders = (title: string) => ({
  type: 'rolling',
  recurrence: '0 12 * * *',
  notification: { subject: title, body: `${title}?` },
});

interface Taken {
  /** Their case, its responses, and the answer that is set aside. */
  case: string;
  responses: string[];
  setAside: string;
  device: string;
}

/** The study of two sites, and what is in it. */
export interface TwoSites {
  study: string;
  survey: string;
  /** The survey of arm b. Empty: there is none. */
  blinded: string;
  owner: Person;
  /** Staff by their role and part of the study: `editor of paris`; `editor` and `monitor` see both sites. */
  staff: Record<string, Person>;
  people: Record<'lyon' | 'paris', Person[]>;
  taken: Map<Person, Taken>;
  /** Codes of enrolment, by site, with the blinded one as `arm`. */
  codes: Record<string, { identifier: string; code: string }>;
  program: Person;
  webhook: string;
}

/**
 * A study of two sites, run for two days: five people take part in Lyon and two in Paris, each with a phone, reminders,
 * receipts, a case, answers, an edit with its reason, a lock and an answer that is set aside. Dana of Lyon and Hugo of Paris answer for a
 * case of the other site, too. An owner locks Lyon by a filter, staff of Lyon read a table, and somebody of Lyon has left.
 */
export async function twoSites(local: LocalApp, { blinded = false } = {}): Promise<TwoSites> {
  const { world, clock, pass } = local;
  const owner = await signUp(world, 'Ada');
  const study = created(
    await owner.post('/investigation', {
      name: 'Sleep',
      timeZone: 'UTC',
      dates: ['surgery'],
      properties: [
        { name: 'site', values: ['lyon', 'paris'] },
        { name: arm, values: [armA, armB], ...(blinded && { blinded }) },
      ],
    }),
  ).identifier as string;
  const at = `/investigation/${study}`;
  const items = [
    { identifier: 'q1', label: 'How did you sleep?' },
    { identifier: 'q2', label: 'When did you wake up?' },
  ];
  const survey = created(
    await owner.post(`${at}/survey`, { name: 'Diary', items, reminders: reminders('Diary') }),
  ).identifier as string;
  const blindSurvey = blinded
    ? (created(
        await owner.post(`${at}/survey`, {
          name: `${blindMark} mood`,
          items: items.map((item) => ({ ...item, label: `${blindMark} ${item.label}` })),
          for: { [arm]: [armB] },
          reminders: { ...reminders(`${blindMark} mood`), recurrence: '0 14 * * *' },
        }),
      ).identifier as string)
    : '';

  const staff: TwoSites['staff'] = {};
  for (const [name, role, site] of [
    ['Bruno', 'editor', undefined],
    ['Mona', 'monitor', undefined],
    ['Leo', 'editor', 'lyon'],
    ['Lola', 'monitor', 'lyon'],
    ['Pablo', 'editor', 'paris'],
    ['Petra', 'monitor', 'paris'],
  ] as const) {
    const person = await signUp(world, name);
    const scope = site && { scope: { site: [site] } };
    created(await owner.post(`${at}/member`, { user: person.id, role, ...scope }));
    staff[site ? `${role} of ${site}` : role] = person;
  }
  const fresh = await signedIn(world, owner, clock.now);
  const made = created(
    await fresh.post(`${at}/token`, {
      label: 'Copy of Paris',
      expiresAt: new Date(clock.now + 30 * dayMs).toISOString(),
      scope: { site: ['paris'] },
    }),
  );
  const program = personWith(world, { name: 'Copy', id: made.identifier, email: '', token: made.token });
  staff['program of paris'] = program;

  const codes: TwoSites['codes'] = {};
  for (const site of ['lyon', 'paris'] as const)
    codes[site] = await newCode(owner, study, {
      label: site === 'lyon' ? `${lyonMark} poster` : 'Poster',
      uses: 9,
      properties: { site },
    });
  codes.arm = await newCode(owner, study, {
    label: `${blindMark} poster`,
    uses: 9,
    properties: { site: 'paris', [arm]: armA },
  });

  const people: TwoSites['people'] = { lyon: [], paris: [] };
  for (const [site, names] of [
    ['lyon', ['Chidi', 'Dana', 'Emil', 'Fay']],
    ['paris', ['Hugo']],
  ] as const) {
    const mark = site === 'lyon' ? `${lyonMark}-` : '';
    for (const [n, name] of names.entries()) {
      const person = await signUp(world, `${mark}${name}`);
      created(
        await owner.post(`${at}/member`, {
          user: person.id,
          role: 'responder',
          code: `${mark}${name}-code`,
          properties: { site, [arm]: n % 2 ? armA : armB },
        }),
      );
      people[site].push(person);
    }
    const enrolled = await enrol(world, codes[site]?.code ?? '', { name: `${mark}enrolled` });
    people[site].push(participantOf(world, enrolled));
  }

  // Somebody without a phone, who needs attention.
  const gus = await signUp(world, `${lyonMark}-Gus`);
  created(
    await owner.post(`${at}/member`, { user: gus.id, role: 'responder', properties: { site: 'lyon' } }),
  );

  const all = [...people.lyon, ...people.paris];
  const taken = new Map<Person, Taken>();
  for (const person of all) {
    const mark = people.lyon.includes(person) ? `${lyonMark} ` : '';
    const phone = {
      platform: 'android',
      token: `${mark}phone-${person.id}`.replace(' ', '-'),
      timeZone: 'UTC',
    };
    const device = created(await person.post('/user/me/device', phone)).identifier;
    done(await person.post(`/survey/${survey}/download`, {}));
    const night = created(await person.post(`${at}/case`, { label: `${mark}night of ${person.name}` }));
    taken.set(person, { case: night.identifier, responses: [], setAside: '', device });
  }
  await pass(minuteMs);
  // Noon and two o'clock of two days.
  for (const ms of [4 * 60 + 1, 2 * 60, 22 * 60, 2 * 60]) {
    await pass(ms * minuteMs);
    for (const [n, person] of all.entries()) if ((n + ms) % 3) await answer(person, survey);
    if (blinded) for (const person of all.filter((_, n) => n % 2 === 0)) await answer(person, blindSurvey);
  }

  async function answer(person: Person, to: string) {
    clock.now += 1000;
    const own = taken.get(person);
    const mark = people.lyon.includes(person) ? `${lyonMark} ` : '';
    const blind = to === blindSurvey ? `${blindMark} ` : '';
    const given = await person.post(`/survey/${to}/response`, {
      case: own?.case,
      items: { q1: `${mark}${blind}badly` },
    });
    // Somebody of another arm does not take the survey.
    if (given.status === 404 && blind) return;
    own?.responses.push(responseIn(given));
  }

  // Each answers for a case of the other site.
  const [chidi, dana, , fay, enrolled] = people.lyon as [Person, Person, Person, Person, Person];
  const [hugo] = people.paris as [Person];
  const across = async (by: Person, of: Person, q1: string) =>
    responseIn(await by.post(`/survey/${survey}/response`, { case: taken.get(of)?.case, items: { q1 } }));
  taken.get(hugo)?.responses.push(await across(dana, hugo, 'An answer for Paris'));
  taken.get(chidi)?.responses.push(await across(hugo, chidi, `${lyonMark} answer for Lyon`));

  for (const person of all) {
    const own = taken.get(person) as Taken;
    const mark = people.lyon.includes(person) ? `${lyonMark} ` : '';
    const [first = ''] = own.responses;
    clock.now += 1000;
    done(
      await person.patch(`/response/${first}`, { items: { q2: `${mark}seven` }, reason: `${mark}reason` }),
    );
    done(
      await person.post(`${at}/lock-items`, {
        responses: [{ identifier: first }],
        status: 'locked',
        reason: `${mark}lock`,
      }),
    );
    await setAside(person, own, mark);
    done(await owner.patch(`${at}/member/${person.id}`, { dates: { surgery: '2031-01-01' } }));
  }

  async function setAside(person: Person, own: Taken, mark: string) {
    const nap = created(await person.post(`${at}/case`, { label: `${mark}nap of ${person.name}` }));
    const before = new Date(clock.now).toISOString();
    clock.now += minuteMs;
    done(
      await owner.post(`${at}/archive-items`, {
        cases: [{ identifier: nap.identifier }],
        status: 'archived',
      }),
    );
    own.setAside = crypto.randomUUID().replaceAll('-', '');
    const kept = await person.post(`/survey/${survey}/response`, {
      case: nap.identifier,
      items: { q1: `${mark}dozed` },
      at: before,
      identifier: own.setAside,
    });
    if (kept.status !== 202) throw new Error(`${kept.status} ${kept.text}`);
  }

  done(
    await owner.post(`${at}/member`, {
      email: `${lyonMark.toLowerCase()}@example.org`,
      role: 'responder',
      properties: { site: 'lyon' },
    }),
  );
  done(
    await owner.post(`${at}/lock-matching`, {
      status: 'locked',
      filter: { properties: { site: ['lyon'] } },
      reason: `${lyonMark} visit`,
    }),
  );
  done(
    await owner.post(`${at}/lock-matching`, {
      status: 'unlocked',
      filter: { properties: { site: ['lyon'] } },
    }),
  );
  for (const who of ['editor of lyon', 'editor of paris'])
    done((await staff[who]?.get(`${at}/responses`, { accept: 'text/csv' })) as never);
  done(await (staff['editor of lyon'] as Person).post(`${at}/member/${enrolled.id}/relink`, {}));
  done(await owner.delete(`${at}/member/${fay.id}`));
  const webhook = created(
    await owner.post(`${at}/webhook`, { url: 'https://hooks.example.org/' }),
  ).identifier;
  await pass(minuteMs);
  return { study, survey, blinded: blindSurvey, owner, staff, people, taken, codes, program, webhook };
}
