import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { ReceivedCall } from '../../tools/fakes/sns/receiver.ts';
import { eventually } from '../support/eventually.ts';
import { created } from '../support/people.ts';
import { newCase, newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone } from './support/console.ts';

let studies = 0;

describeConsole('webhooks', (get) => {
  const study = () => newStudy(get().world, { of: `webhooks ${studies++}` });
  const path = (id: string, more = '') => `/studies/${id}/webhooks${more}`;
  const receiver = () => `${get().service.sns.url}/webhooks`;
  const calls = async (id: string): Promise<ReceivedCall[]> => {
    const all: ReceivedCall[] = await (await fetch(`${receiver()}/calls`)).json();
    return all.filter(({ body }) => JSON.stringify(body).includes(id));
  };

  test('one is added with its secret, tested, paused, resumed, replayed, given another secret, and removed', async () => {
    const of = await study();
    const page = await get().visit(of.owner, path(of.id));
    await page.getByText('This study has no webhooks').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a webhook' });
    await dialog.getByLabel('Address').fill('http://10.0.0.1/');
    await dialog.getByRole('button', { name: 'Add a webhook' }).click();
    await dialog.locator('.fault').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Address').fill(`${receiver()}/calls`);
    await dialog.getByRole('checkbox', { name: 'Members' }).uncheck();
    await dialog.getByRole('button', { name: 'Add a webhook' }).click();
    const told = page.getByRole('dialog', { name: 'The secret of this webhook' });
    const secret = await told.getByLabel('Secret').inputValue();
    expect(secret).toMatch(/^whsec_/);
    await expectAccessible(page);
    await fetch(`${receiver()}/secrets`, { method: 'POST', body: JSON.stringify({ secret }) });
    await told.getByRole('button', { name: 'I have copied the secret' }).click();
    await page.getByRole('heading', { level: 1, name: '127.0.0.1' }).waitFor();
    await page.getByText('Up to date').waitFor();
    await expectAccessible(page);
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test was received: HTTP 204.').waitFor();
    expect(await calls(of.id)).toMatchObject([{ signature: 'holds', body: { type: 'webhook.test' } }]);
    const table = page.getByRole('table', { name: 'Calls of the webhook' });
    await table.getByText('Received (204)').waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save this table as CSV' }).click();
    expect(await text(await (await saved).createReadStream())).toContain('Received (204)');
    await expectAccessible(page);
    await expectFitsPhone(page);

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('The webhook is paused.').waitFor();
    await newCase(of, of.owner);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('The webhook is active again.').waitFor();
    await eventually('the call', async () => (await calls(of.id)).length === 2);
    const [first] = await calls(of.id);
    expect(first).toMatchObject({ signature: 'holds', body: { changes: [{ kind: 'case' }] } });

    await page.getByRole('button', { name: 'Replay' }).click();
    const replay = page.getByRole('dialog', { name: 'Replay changes' });
    await expectAccessible(page);
    await replay.getByLabel('After position').fill('0');
    await replay.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('The webhook starts again after position 0.').waitFor();
    await eventually('the changes again', async () => (await calls(of.id)).length === 3);
    // Members were left out.
    expect((await calls(of.id))[0]).toMatchObject({
      body: { changes: [{ kind: 'study' }, { kind: 'survey' }, { kind: 'case' }] },
    });

    await page.getByRole('button', { name: 'Replace the secret' }).click();
    const rotate = page.getByRole('dialog', { name: 'Replace the secret?' });
    await rotate.getByRole('button', { name: 'Replace the secret' }).click();
    expect(await told.getByLabel('Secret').inputValue()).not.toBe(secret);
    await told.getByRole('button', { name: 'I have copied the secret' }).click();
    await page.getByText('Old secret valid until').waitFor();
    await expectAccessible(page);

    await page.getByRole('link', { name: 'All webhooks' }).click();
    await page.setViewportSize({ width: 260, height: 640 });
    const lastCall = page.getByRole('cell').filter({ has: page.locator('time') });
    expect(await lastCall.evaluate((cell) => cell.scrollWidth - cell.clientWidth), 'cut off').toBe(0);
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.getByRole('link', { name: '127.0.0.1' }).click();

    await page.getByRole('button', { name: 'Remove' }).click();
    const remove = page.getByRole('dialog', { name: 'Remove this webhook?' });
    await remove.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The webhook is removed.').waitFor();
    await page.getByText('This study has no webhooks').waitFor();
    expect(page.complaints).toEqual([]);
  });

  test('a failing one shows its error and its next try, without being asked', async () => {
    const of = await study();
    const url = `${receiver()}/calls?status=500`;
    const { identifier } = created(await of.owner.post(`/investigation/${of.id}/webhook`, { url }));
    const page = await get().visit(of.owner, path(of.id, `/${identifier}`));
    await page.getByText('Not called yet').first().waitFor();
    await newCase(of, of.owner);
    await page.getByText('Failing', { exact: true }).waitFor();
    await page.getByText('HTTP 500').first().waitFor();
    await page.getByText('Next attempt').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'All webhooks' }).click();
    await page.getByRole('table', { name: 'Webhooks of the study' }).getByText('Failing').waitFor();
    await expectAccessible(page);
    await expectFitsPhone(page);
  });

  test('editors and participants find no webhooks', async () => {
    const of = await study();
    const page = await get().visit(of.editor, path(of.id));
    await page.getByText('Only owners of the study may open this page.').waitFor();
  });
});
