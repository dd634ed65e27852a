import { type Client, createClient, newIdentifier, ProblemError } from '../client/client.ts';
import { settingDefaults } from './settings/defaults.ts';
import { checkSettings } from './settings/settings.ts';
import { signToken } from './tokens/sign.ts';

const usage = `Usage: SMOKE_TOKEN=<token> npm run -s smoke -- <base-url>

Checks a live deployment with a study of its own, as the token's user, and deletes the study. The next run
deletes the remains of an interrupted one. A service on this machine needs no token.`;

const studyName = 'Smoke test';

interface Step {
  name: string;
  run: (context: Context) => Promise<unknown>;
}

type LockStatus = 'locked' | 'unlocked';

interface Context {
  client: Client;
  url: string;
  study: string;
  night: string;
}

const expected = (what: string, holds: boolean) => {
  if (!holds) throw new Error(`expected ${what}`);
};

const steps: Step[] = [
  {
    name: 'health',
    run: async ({ url }) => expected('200', (await fetch(`${url}/health`)).ok),
  },
  {
    name: 'a request without a token is refused',
    run: async ({ url }) => expected('401', (await fetch(`${url}/user/me`)).status === 401),
  },
  {
    name: 'sign up',
    run: ({ client }) => client.api.user.$post({ json: { name: 'Smoke test', timeZone: 'UTC' } }),
  },
  {
    name: 'create a study',
    run: async (context) => {
      const { investigation } = context.client.api;
      context.study = (await (await investigation.$post({ json: { name: studyName } })).json()).identifier;
    },
  },
  {
    name: 'create a case, and read it back at once',
    run: async ({ client, study, night }) => {
      const json = { label: 'Night 1', identifier: night };
      await client.api.investigation[':id'].case.$post({ param: { id: study }, json });
      let isListed = false;
      for await (const found of client.cases(study)) isListed ||= found.identifier === night;
      expected('the case in the list', isListed);
      await client.api.case[':id'].$get({ param: { id: night } });
    },
  },
  {
    name: 'create a survey, and answer it',
    run: async ({ client, study, night }) => {
      const json = { name: 'Diary', items: [{ identifier: 'q1', label: 'How did you sleep?' }] };
      const { api } = client;
      const survey = await (
        await api.investigation[':id'].survey.$post({ param: { id: study }, json })
      ).json();
      await api.survey[':id'].response.$post({
        param: { id: survey.identifier },
        json: { case: night, items: { q1: 'well' }, identifier: newIdentifier() },
      });
    },
  },
  {
    name: 'a locked case cannot be changed',
    run: async ({ client, study, night }) => {
      await lockItems(client, study, [{ identifier: night }], 'locked');
      const change = client.api.case[':id'].$patch({ param: { id: night }, json: { label: 'Changed' } });
      const refusal = await change.catch((error: unknown) => error);
      expected('423 item.locked', refusal instanceof ProblemError && refusal.code === 'item.locked');
      await lockItems(client, study, [{ identifier: night }], 'unlocked');
    },
  },
  {
    name: 'the activity log is whole',
    run: async ({ client, study }) => {
      const answer = await client.api.investigation[':id'].activity.verify.$get({
        param: { id: study },
        query: {},
      });
      expected('a valid chain', (await answer.json()).valid);
    },
  },
];

const cleaning: Step[] = [
  {
    name: 'clean up: delete the study, and what an interrupted run left',
    run: async ({ client }) => {
      const inStudy = client.api.investigation[':id'];
      const { investigations } = await (await client.api.investigation.$get()).json();
      for (const { identifier, name, role, status } of investigations) {
        if (name !== studyName || role !== 'owner') continue;
        const param = { id: identifier };
        if (status === 'active') await inStudy.$patch({ param, json: { status: 'archived' } });
        await inStudy.$delete({ param });
        const gone = await inStudy.$get({ param }).catch((error: unknown) => error);
        expected('404 after the deletion', gone instanceof ProblemError && gone.status === 404);
      }
    },
  },
];

const lockItems = (client: Client, study: string, cases: { identifier: string }[], status: LockStatus) =>
  client.api.investigation[':id']['lock-items'].$post({ param: { id: study }, json: { cases, status } });

/** Runs all steps, then cleans up even after a failure. Resolves to the number of failures. */
async function smoke(url: string, token: string): Promise<number> {
  const client = createClient({ baseUrl: url, token: () => token });
  const context: Context = { client, url, study: '', night: newIdentifier() };
  const failed = await runSteps(steps, context);
  if (context.study === '') return failed;
  return failed + (await runSteps(cleaning, context));
}

/** Stops at the first failure, because later steps would fail for the same reason. */
async function runSteps(list: Step[], context: Context): Promise<number> {
  for (const { name, run } of list) {
    const began = performance.now();
    try {
      await run(context);
      console.log(`ok      ${name} (${Math.round(performance.now() - began)} ms)`);
    } catch (error) {
      console.log(`FAILED  ${name}: ${describe(error)}`);
      return 1;
    }
  }
  return 0;
}

const describe = (error: unknown) =>
  error instanceof ProblemError
    ? `${error.status} ${error.code}: ${error.message} (request ${error.requestId})`
    : String(error instanceof Error ? (error.cause ?? error.message) : error);

async function main([given]: string[]): Promise<number> {
  const url = given === undefined ? null : URL.parse(given);
  if (!url) {
    console.error(usage);
    return 2;
  }
  const local = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  const { SMOKE_TOKEN } = process.env;
  if (!SMOKE_TOKEN && !local) {
    console.error(`SMOKE_TOKEN is missing.\n\n${usage}`);
    return 2;
  }
  const subject = 'smoke-test';
  const { auth } = checkSettings({ ...settingDefaults, ...authOf(process.env) });
  const token = SMOKE_TOKEN || (await signToken(auth, { subject, expiresIn: 600 }));
  const failed = await smoke(url.href.replace(/\/$/, ''), token);
  console.log(failed === 0 ? 'The deployment works.' : 'The deployment does not work.');
  return failed === 0 ? 0 : 1;
}

const authOf = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('AUTH_')));

process.exitCode = await main(process.argv.slice(2));
