import { type Client, createClient, newIdentifier, ProblemError } from '../src/client.ts';
import { settingDefaults } from './defaults.ts';
import { checkSettings } from './settings.ts';
import { signToken } from './sign-token.ts';

const usage = `Usage: SMOKE_TOKEN=<token> npm run -s smoke -- <base-url>

Checks a live deployment with a study of its own, as the token's user. The API never deletes a study, so each run takes
the same one and leaves it archived and empty. A service on this machine needs no token.`;

const names = { study: 'Smoke test', survey: 'Diary' };

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
  survey: string;
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
    name: 'create a study, or take that of the last run',
    run: async (context) => {
      const { investigation } = context.client.api;
      const { investigations } = await (await investigation.$get()).json();
      const known = investigations.find(({ name, role }) => name === names.study && role === 'owner');
      const found = known ?? (await (await investigation.$post({ json: { name: names.study } })).json());
      context.study = found.identifier;
      await setStatus(context, 'active');
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
    name: 'create a survey, or take that of the last run, and answer it',
    run: async (context) => {
      const { client, study, night } = context;
      const inStudy = client.api.investigation[':id'];
      const param = { id: study };
      const { surveys } = await (await inStudy.surveys.$get({ param })).json();
      const json = { name: names.survey, items: [{ identifier: 'q1', label: 'How did you sleep?' }] };
      const known = surveys.find(({ name }) => name === names.survey);
      const found = known ?? (await (await inStudy.survey.$post({ param, json })).json());
      context.survey = found.identifier;
      await setStatus(context, 'active');
      await client.api.survey[':id'].response.$post({
        param: { id: context.survey },
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

/** What an earlier run may have left, too: it may have been interrupted. */
const cleaning: Step[] = [
  {
    name: 'clean up: delete the case and its response',
    run: async ({ client, study }) => {
      const cases: { identifier: string }[] = [];
      const responses: { identifier: string }[] = [];
      for await (const { identifier } of client.cases(study)) cases.push({ identifier });
      for await (const { identifier } of client.responses(study)) responses.push({ identifier });
      if (cases.length + responses.length === 0) return;
      if (cases.length > 0) await lockItems(client, study, cases, 'unlocked');
      const json = { cases, responses, status: 'deleted' as const };
      await client.api.investigation[':id']['delete-items'].$post({ param: { id: study }, json });
    },
  },
  {
    name: 'clean up: archive the survey and the study',
    run: (context) => setStatus(context, 'archived'),
  },
];

/** Archives or restores the study, and the survey if there is one. An archived study takes no change of its survey. */
async function setStatus({ client, study, survey }: Context, status: 'active' | 'archived') {
  const ofStudy = () => client.api.investigation[':id'].$patch({ param: { id: study }, json: { status } });
  if (status === 'active') await ofStudy();
  if (survey !== '') await client.api.survey[':id'].$patch({ param: { id: survey }, json: { status } });
  if (status === 'archived') await ofStudy();
}

const lockItems = (client: Client, study: string, cases: { identifier: string }[], status: LockStatus) =>
  client.api.investigation[':id']['lock-items'].$post({ param: { id: study }, json: { cases, status } });

/** Runs all steps, then cleans up even after a failure. Resolves with the number of failures. */
async function smoke(url: string, token: string): Promise<number> {
  const client = createClient({ baseUrl: url, token: () => token });
  const context: Context = { client, url, study: '', survey: '', night: newIdentifier() };
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
