import { encodeCursor } from '../../../../src/http/lists/paging.ts';
import { newIdentifier } from '../../../../src/identifiers.ts';
import { enrol, newCode, participantOf } from '../../../support/participants.ts';
import { created, type Person } from '../../../support/people.ts';
import { newProgram } from '../../../support/programs.ts';
import { newCase, newMember, newResponse } from '../../../support/studies.ts';
import { type LockedWorld, lockedWorld } from '../../../support/worker/locked-worlds.ts';
import { signUp, stranger, tokenOf, world } from '../../../support/worker/world.ts';
import type { Vocabulary } from './values.ts';

/** In every text that people wrote in the other study. */
export const canary = 'canary-5f1e0c';

const receiver = 'https://hooks.example.org/';

/** The senders of the requests, and the things that they can name. */
export interface FuzzWorld {
  locked: LockedWorld;
  /** The other study, in which no caller takes part, and what is in it. */
  foreign: Record<'study' | 'survey' | 'case' | 'response' | 'device', string>;
  tokens: (string | undefined)[];
  vocabulary: Vocabulary;
}

export async function fuzzWorld(): Promise<FuzzWorld> {
  const locked = await lockedWorld();
  const { study } = locked;
  const { foreign, owner } = await otherStudy();
  const sites = { properties: [{ name: 'site', values: ['lyon', 'paris'] }] };
  await study.owner.patch(`/investigation/${study.id}`, sites);
  await study.owner.patch(`/investigation/${study.id}/member/${study.responder.id}`, {
    properties: { site: 'lyon' },
  });
  const scope = { site: ['paris'] };
  const scoped = [
    await newMember(world, study, 'Paula', 'editor', { scope }),
    await newMember(world, study, 'Piet', 'monitor', { scope }),
  ];
  const [wanderer, newcomer] = [await signUp('Wanda'), await stranger('Nils')];
  await study.owner.post(`/investigation/${study.id}/member`, { email: wanderer.email, role: 'responder' });
  const { code, identifier: enrolment } = await newCode(study.owner, study.id, { uses: 1_000 });
  const participant = participantOf(world, await enrol(world, code));
  const hook = await study.owner.post(`/investigation/${study.id}/webhook`, { url: receiver });
  const closed = created(await study.owner.post('/investigation', { name: 'Closed' })).identifier;
  await study.owner.patch(`/investigation/${closed}`, { status: 'archived' });
  const log = (await study.owner.get(`/investigation/${study.id}/activity`)).body.activities;
  const program = await newProgram(world, study.owner, study.id);
  const members = [study.owner, study.editor, study.responder, study.other, ...scoped];
  const expired = await tokenOf('ada', { expiresIn: -3600 });
  const users = [...members, participant, program, wanderer, owner].map(({ id }) => id);
  const cases = [locked.lockedCase, locked.archivedCase, locked.openCase, foreign.case];
  const responses = [
    locked.lockedResponse,
    locked.responseInLockedCase,
    locked.openResponse,
    foreign.response,
  ];
  const studies = [study.id, study.id, study.id, closed, foreign.study];
  const surveys = [study.survey, study.survey, foreign.survey];
  const unknown = newIdentifier(Date.now());
  const twice = <T>(list: T[]) => [...list, ...list];
  return {
    locked,
    foreign,
    tokens: [...twice(twice(members)), ...twice([wanderer, newcomer, participant, program])]
      .map(({ token }): string | undefined => token)
      .concat([undefined, 'x.y.z', expired]),
    vocabulary: {
      identifiers: [...users, ...cases, ...responses, ...studies, ...surveys, unknown],
      emails: [...members, wanderer, newcomer].map(({ email }) => email).concat('zoe@example.org'),
      words: {
        '/user': ['me', 'me', ...users, unknown],
        '/member': [...users, 'me', 'zoe@example.org', unknown],
        '/investigation': [...studies, unknown],
        '/invitations': [study.id],
        '/activity': log.map(({ identifier }: { identifier: string }) => identifier),
        '/survey': [...surveys, unknown],
        '/case': [...cases, unknown],
        '/response': [...responses, unknown],
        '/set-aside': [locked.setAside, unknown],
        '/enrolment': [enrolment, unknown],
        '/token': [program.id, unknown],
        code: [code],
        '/webhook': [created(hook).identifier, unknown],
        '/device': [locked.phone.id, foreign.device, unknown],
        survey: surveys,
        case: cases,
        user: ['me', ...users],
        cursor: [
          [1],
          [Date.now(), unknown],
          [0, unknown, 0, 0],
          ['', ''],
          [Date.now(), unknown, '2027-03-01'],
          [study.responder.id, 1, ''],
        ].map(encodeCursor),
        item: ['q1', 'q2', 'q3'],
        platform: ['android', 'ios', 'windows'],
        token: ['phone-1', 'phone-2', 'phone-3'],
        timeZone: ['UTC', 'Europe/Paris', 'America/St_Johns', 'Pacific/Apia', 'Mars/Olympus'],
        recurrence: [
          '30 21 * * *',
          '0 8 * * 1,3,5',
          '15 2 * * 0',
          '0 9 1-5 * *',
          '0 9 * * 1-7/2',
          '* * * * *',
        ],
        on: ['2027-03-28'],
        startsOn: ['2027-03-01'],
        downloadedOn: ['2027-03-01'],
        url: [receiver],
        property: ['site:lyon', 'site:paris', 'site:oslo', 'colour:red', 'site'],
      },
      objects: {
        properties: [{ site: 'lyon' }, { site: 'paris' }, { site: null }, { site: 'oslo' }, {}],
        scope: [{ site: ['paris'] }, { site: ['lyon', 'paris'] }, { site: [] }, { colour: ['red'] }],
        for: [{ site: ['lyon'] }, { site: ['oslo'] }],
      },
    },
  };
}

/** A study of strangers, full of what nobody else may read. */
async function otherStudy() {
  const owner: Person = await signUp('Zora');
  const study = await owner.post('/investigation', { name: `Dreams ${canary}` });
  const id: string = study.body.identifier;
  const items = [{ identifier: 'q1', label: `Which ${canary}?` }];
  const survey = await owner.post(`/investigation/${id}/survey`, { name: `Dreams ${canary}`, items });
  const world = { id, survey: survey.body.identifier, owner, editor: owner, responder: owner, other: owner };
  const night = await newCase(world, owner, `Night ${canary}`);
  const response = await newResponse(world, owner, night, { q1: `I dreamt of ${canary}` });
  await owner.post(`/investigation/${id}/lock-items`, {
    cases: [{ identifier: night }],
    status: 'locked',
    reason: canary,
  });
  const phone = { platform: 'android', token: `token-${canary}`, timeZone: 'UTC' };
  const device = await owner.post('/user/me/device', phone);
  if (device.status !== 201) throw new Error(device.text);
  return {
    owner,
    foreign: {
      study: id,
      survey: world.survey,
      case: night,
      response,
      device: device.body.identifier as string,
    },
  };
}
