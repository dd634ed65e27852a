import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { verify } from '../../tools/verify/verify.ts';
import { created, type Person, signToken, signUp, stranger } from '../support/people.ts';
import { describeConsole } from './support/console.ts';
import { followGuides, type Participant, type Picture, pictures, takePicture } from './support/guides.ts';

const timeZone = 'Europe/Paris';

/** Somebody with an address who does by the API what their app would do. */
function participant(person: Person): Participant {
  const surveyOf = async (study: string) =>
    (await person.get(`/investigation/${study}/surveys`)).body.surveys[0].identifier;
  return {
    email: person.email,
    join: async () => created(await person.post('/user', { name: person.name, timeZone })),
    async open(study) {
      const phone = { platform: 'android', token: `guide-${person.email}`, timeZone };
      created(await person.post('/user/me/device', phone));
      await person.post(`/survey/${await surveyOf(study)}/download`);
    },
    async answer(study, label) {
      const { identifier } = created(await person.post(`/investigation/${study}/case`, { label }));
      const answer = { case: identifier, items: { asleep: '75' } };
      created(await person.post(`/survey/${await surveyOf(study)}/response`, answer));
    },
  };
}

describeConsole('the guides', (get) => {
  test('lead from an invitation to a locked, signed and frozen study, whose log is verified without the service', async () => {
    const { world, service } = get();
    const ada = await signUp(world, 'Ada', { timeZone });
    const [chidi, dana] = [await stranger(world, 'Chidi'), await stranger(world, 'Dana')];
    const auth_time = Math.floor(Date.now() / 1000);
    const token = await signToken(world.auth, world.subjectOf('Ada'), { auth_time });
    const page = await get().visit({ token });
    const taken: Picture[] = [];
    const participants = [participant(chidi), participant(dana)] as const;
    const take = async (picture: Picture) => {
      taken.push(picture);
      await takePicture(page, picture);
    };
    const { study, log, head } = await followGuides({ page, participants, take });
    expect(taken).toEqual([...pictures]);

    const { frozenAt, lockPolicy } = (await ada.get(`/investigation/${study}`)).body;
    expect(frozenAt).toEqual(expect.any(String));
    expect(lockPolicy).toEqual({ unlock: 'owners', signature: true });
    const { cases } = (await ada.get(`/investigation/${study}/cases`)).body;
    const { responses } = (await ada.get(`/investigation/${study}/responses`)).body;
    expect([cases.length, responses.length]).toEqual([2, 2]);
    expect([...cases, ...responses].filter(({ lockedAt }) => lockedAt === undefined)).toEqual([]);
    expect(responses.map(({ items }: { items: object }) => items)).toContainEqual({ asleep: '7.5' });
    const entries = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const locks = entries.filter(({ action }) => action === 'items.locked');
    expect(locks.map(({ reason, signature }) => [reason, signature?.meaning])).toEqual([
      ['Monitored on site', undefined],
      ['Database lock for the final analysis', 'Reviewed and approved'],
    ]);

    const folder = mkdtempSync(join(tmpdir(), 'fieldbell-guides-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const keep = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const jwks = await (await fetch(`${service.url}/.well-known/jwks.json`)).text();
    const files = [
      keep('audit.ndjson', log),
      '--head',
      keep('head.json', head),
      '--jwks',
      keep('jwks.json', jwks),
    ];
    expect(await verify(files)).toMatchObject({ status: 0 });
    const edited = keep('edited.ndjson', log.replace('Monitored on site', 'Monitored by mail'));
    expect(await verify([edited])).toMatchObject({ status: 1 });
    expect(page.complaints).toEqual([]);
  });
});
