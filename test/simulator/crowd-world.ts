import type { Services } from '../../src/services.ts';
import { readDocument } from '../contract/document.ts';
import { routesOf } from '../http/support/fuzz/requests.ts';
import { type LocalService, localService } from '../support/local-service.ts';
import { newCode } from '../support/participants.ts';
import { created, type Person, readAnswer, signUp, type World } from '../support/people.ts';
import { newCase, newStudy, type Study } from '../support/studies.ts';
import { type OddResolver, oddResolver } from './odd-resolver.ts';

/** Names that no participant may read but their own. */
const secretNames = { responder: 'Chidi Quillfeather', other: 'Dana Quillfeather' };

/** Answers and cases of one honest person, as many as make an export or a list long. */
const items = 3_000;

/** Of the study, and of one person a day: small, so that a person can try to fill the study. */
const bounds = { MAX_STUDY_BYTES: '20000000', MAX_PERSON_BYTES: '2000000' };

/** An honest study, hostile people, and the service that has them, as Node runs it. */
export interface CrowdWorld {
  service: Awaited<ReturnType<typeof startService>>;
  study: Study;
  item: string;
  routes: ReturnType<typeof routesOf>;
  /** On the poster of the study. */
  code: string;
  /** A member of the honest study, and the owner of another. */
  mallory: Person;
  oscar: Person;
  own: string;
  secrets: string[];
  /** Of names, in place of the machine's. */
  resolver: OddResolver;
  dispose(): Promise<void>;
}

type Request = (path: string, init?: RequestInit, connection?: object) => Response | Promise<Response>;

/** A fault of the service: other functions of its platform, or other answers. */
export interface Fault {
  services?: (services: Services) => Services;
  request?: (request: Request) => Request;
}

/** The limits of the service as it comes: `localService` leaves them out. */
const limits = {
  RATE_LIMIT_USER: '300',
  RATE_LIMIT_ADDRESS: '100',
  RATE_LIMIT_CODE: '10',
  RATE_LIMIT_ENROL: '300',
};

async function startService(fault: Fault) {
  const local = await localService({ ...bounds, ...limits }, fault.services);
  const plain: Request = (...asked) => local.app.request(...asked);
  const request = fault.request?.(plain) ?? plain;
  const send: World['send'] = async (path, init) => readAnswer(await request(path, init));
  return { ...local, app: { request }, world: { ...local.world, send } };
}

export async function crowdWorld(fault: Fault = {}): Promise<CrowdWorld> {
  // Before the service, which may keep the functions that it finds.
  const resolver = oddResolver();
  const service = await startService(fault);
  const { world, client } = service;
  const study = await newStudy(world);
  const { owner, responder, other } = study;
  await responder.patch('/user/me', { name: secretNames.responder });
  await other.patch('/user/me', { name: secretNames.other });
  const [mallory, oscar] = [await signUp(world, 'Mallory'), await signUp(world, 'Oscar')];
  created(await owner.post(`/investigation/${study.id}/member`, { user: mallory.id, role: 'responder' }));
  const own = created(await oscar.post('/investigation', { name: 'Own' })).identifier;
  const item = await newCase(study, responder);
  const many = Array.from({ length: 1_000 }, (_, n) => ({ identifier: `q${n}`, label: 'How?' }));
  await owner.patch(`/survey/${study.survey}`, { items: many });
  const large = created(
    await oscar.post(`/investigation/${own}/survey`, { name: 'Diary', items: many }),
  ).identifier;
  await fill(client, { study: own, survey: large, user: oscar.id });
  const { code } = await newCode(owner, study.id, { uses: 1_000 });
  const { document } = await readDocument();
  const secrets = Object.values(secretNames);
  const dispose = async () => {
    resolver.restore();
    await service.dispose();
  };
  return {
    service,
    study,
    item,
    routes: routesOf(document),
    code,
    mallory,
    oscar,
    own,
    secrets,
    resolver,
    dispose,
  };
}

/** By SQL, as the service would take a minute. */
async function fill(client: LocalService['client'], of: { study: string; survey: string; user: string }) {
  const counter = 'with recursive counter(n) as (select 1 union all select n + 1 from counter where n < ?1)';
  const id = (prefix: string) => `'${prefix}' || printf('%028x', n)`;
  const run = (sql: string, ...values: (string | number)[]) =>
    client.execute({ sql: `${counter} ${sql}`, values: [items, ...values] });
  await run(
    `insert into study_case (id, investigation_id, creator_id, label, hidden, created_with, edited_at, created_at, revision_id)
      select ${id('ca5e')}, ?2, ?3, 'Night ' || n, 0, '{}', n, n, ${id('0001')} from counter`,
    of.study,
    of.user,
  );
  await run(
    `insert into response (id, investigation_id, survey_id, case_id, responder_id, items, reasons, revised_at, created_at, revision_id)
      select ${id('4e50')}, ?2, ?3, ${id('ca5e')}, ?4, '{"q1":"well"}', '{}', n, n, ${id('0002')} from counter`,
    of.study,
    of.survey,
    of.user,
  );
}

/** From an address of its own, as `fetch` of the application gets it. */
export const from = ({ app }: Pick<CrowdWorld['service'], 'app'>, address: string): World['send'] => {
  return async (path, init) => readAnswer(await app.request(path, init, { address }));
};
