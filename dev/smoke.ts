import { type Client, createClient, newIdentifier, ProblemError } from '../src/client.ts';
import { settingDefaults } from './defaults.ts';
import { checkSettings } from './settings.ts';
import { signToken } from './sign-token.ts';

const usage = `Usage: SMOKE_TOKEN=<token> npm run -s smoke -- <base-url>

Checks a live deployment with a study of its own, as the token's user. The API never deletes a study, so it is left
archived and empty. A service on this machine needs no token.`;

interface Step {
  name: string;
  run: (context: Context) => Promise<unknown>;
}

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
    name: 'create a study',
    run: async (context) => {
      const name = `Smoke test ${new Date().toISOString()}`;
      const answer = await context.client.api.investigation.$post({ json: { name } });
      context.study = (await answer.json()).identifier;
    },
  },
  {
    name: 'create a case, and read it back at once',
    run: async ({ client, study, night }) => {
      const json = { label: 'Night 1', identifier: night };
      await client.api.investigation[':id'].case.$post({ param: { id: study }, json });
      for await (const found of client.cases(study)) expected('the case', found.identifier === night);
      await client.api.case[':id'].$get({ param: { id: night } });
    },
  },
  {
    name: 'create a survey, and answer it',
    run: async (context) => {
      const { client, study, night } = context;
      const json = { name: 'Diary', items: [{ identifier: 'q1', label: 'How did you sleep?' }] };
      const answer = await client.api.investigation[':id'].survey.$post({ param: { id: study }, json });
      context.survey = (await answer.json()).identifier;
      await client.api.survey[':id'].response.$post({
        param: { id: context.survey },
        json: { case: night, items: { q1: 'well' }, identifier: newIdentifier() },
      });
    },
  },
  {
    name: 'a locked case cannot be changed',
    run: async ({ client, study, night }) => {
      await lockItems(client, study, night, 'locked');
      const change = client.api.case[':id'].$patch({ param: { id: night }, json: { label: 'Changed' } });
      const refusal = await change.catch((error: unknown) => error);
      expected('423 item.locked', refusal instanceof ProblemError && refusal.code === 'item.locked');
      await lockItems(client, study, night, 'unlocked');
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

/** The API never deletes a study, so its content is deleted and it is archived. */
const cleaning: Step[] = [
  {
    name: 'clean up: delete the case and its response',
    run: async ({ client, study, night }) => {
      const responses: { identifier: string }[] = [];
      for await (const { identifier } of client.responses(study)) responses.push({ identifier });
      const json = { cases: [{ identifier: night }], responses, status: 'deleted' as const };
      await client.api.investigation[':id']['delete-items'].$post({ param: { id: study }, json });
    },
  },
  {
    name: 'clean up: archive the survey and the study',
    run: async ({ client, study, survey }) => {
      const json = { status: 'archived' as const };
      await client.api.survey[':id'].$patch({ param: { id: survey }, json });
      await client.api.investigation[':id'].$patch({ param: { id: study }, json });
    },
  },
];

const lockItems = (client: Client, study: string, night: string, status: 'locked' | 'unlocked') =>
  client.api.investigation[':id']['lock-items'].$post({
    param: { id: study },
    json: { cases: [{ identifier: night }], status },
  });

/** Runs all steps, then cleans up even after a failure. Resolves with the number of failures. */
async function smoke(url: string, token: string): Promise<number> {
  const client = createClient({ baseUrl: url, token: () => token });
  const context: Context = { client, url, study: '', night: newIdentifier(), survey: '' };
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
  const subject = `smoke-${newIdentifier()}`;
  const { auth } = checkSettings({ ...settingDefaults, ...authOf(process.env) });
  const token = SMOKE_TOKEN || (await signToken(auth, { subject, expiresIn: 600 }));
  const failed = await smoke(url.href.replace(/\/$/, ''), token);
  console.log(failed === 0 ? 'The deployment works.' : 'The deployment does not work.');
  return failed === 0 ? 0 : 1;
}

const authOf = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('AUTH_')));

process.exitCode = await main(process.argv.slice(2));
