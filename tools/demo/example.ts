import { createClient } from '../../client/client.ts';
import { firstLaunch } from '../../examples/first-launch.ts';
import { signIn } from './api.ts';
import { type OwnService, startOwnService } from './own-service.ts';
import { seed } from './seed.ts';

/*
 * `npm run example`: an app's first launch (examples/first-launch.ts) in the demo study, against a service that is
 * started for it, and that ends with it.
 */
const newcomer = { subject: 'newcomer', email: 'newcomer@example.org' };

const service = await startOwnService();
try {
  await run(service);
} finally {
  await service.end();
}

async function run({ url, auth, platforms }: OwnService) {
  const options = { url, auth, signal: AbortSignal.timeout(60_000) };
  const { study, ownerToken } = await seed({ ...options, platforms });
  const owner = createClient({ baseUrl: url, token: () => ownerToken });
  const invitation = { email: newcomer.email, role: 'responder' as const };
  await owner.api.investigation[':id'].member.$post({ param: { id: study }, json: invitation });

  const { token } = await signIn(options, newcomer);
  const phone = { platform: 'android', token: 'phone-of-the-newcomer' };
  const app = createClient({ baseUrl: url, token: () => token });
  const { me, answered } = await firstLaunch(app, phone);
  console.log(`${me.name} signed up as ${me.uri}, and took the invitation.`);
  for await (const response of owner.responses(study))
    if (response.identifier === answered)
      console.log(`The study has the answer: ${JSON.stringify(response.items)}`);
}
