import { createClient, newIdentifier, ProblemError } from '../../../client/client.ts';
import { signToken } from '../../support/people.ts';
import type { ServiceWorld } from '../support/worlds.ts';

/** The published client against each runtime: its requests, its errors, its results. */
export async function clients(world: ServiceWorld): Promise<void> {
  const bearer = await signToken(world.auth, 'clara-client', {
    email: 'clara@example.org',
    email_verified: true,
  });
  const { api, cases, fetch } = createClient({ baseUrl: world.url(), token: () => bearer });
  const me = await (await api.user.$post({ json: { name: 'Clara', timeZone: 'Europe/Paris' } })).json();
  world.transcript.note('signed up', me);
  const created = await api.investigation.$post({ json: { name: 'Client', startsOn: '2026-01-01' } });
  const { identifier: study } = await created.json();
  for (const label of ['Night 1', 'Night 2', 'Night 3'])
    await api.investigation[':id'].case.$post({
      param: { id: study },
      json: { label, identifier: newIdentifier() },
    });
  const labels: string[] = [];
  for await (const night of cases(study, { limit: '2' })) labels.push(night.label);
  world.transcript.note('cases', labels.toSorted());
  const csv = await fetch(`/investigation/${study}/cases`, { headers: { accept: 'text/csv' } });
  world.transcript.note('csv', (await csv.text()).split('\r\n').length);
  const refused = await api.user[':id']
    .$patch({ param: { id: 'me' }, json: { timeZone: 'Mars/Olympus' } })
    .catch((error: unknown) => error);
  if (!(refused instanceof ProblemError)) throw new Error('expected a problem');
  world.transcript.note('problem', { code: refused.code, status: refused.status, errors: refused.errors });
  const first = await api.user[':id'].$get({ param: { id: 'me' } });
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
  world.transcript.note('unchanged', (await fetch('/user/me', { headers })).status);
}
