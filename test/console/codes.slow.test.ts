import { expect, test } from 'vitest';
import { signUp } from '../support/people.ts';
import { newCase, newResponse, newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone } from './support/console.ts';
import { hostile } from './support/hostile.ts';

let studies = 0;

describeConsole('codes', (get) => {
  const study = () => newStudy(get().world, { of: `labels ${studies++}` });

  test('are given and changed by editors, back by undo, and found by the filter', async () => {
    const of = await study();
    const chidi = of.responder;
    await of.owner.patch(`/investigation/${of.id}/member/${of.other.id}`, { code: 'P-018' });
    const page = await get().visit(of.editor, `/studies/${of.id}/members`);
    await page.getByRole('button', { name: `Add a code for ${chidi.name}` }).click();
    const dialog = page.getByRole('dialog', { name: `Code of ${chidi.name}` });
    await expectAccessible(page);
    await dialog.getByLabel('Code').fill('P-018');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('This code belongs to another person').first().waitFor();
    await dialog.getByLabel('Code').fill(' P-017 ');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText(`The code of ${chidi.name} is P-017.`).waitFor();
    const given = page.getByRole('button', { name: `Change the code of ${chidi.name}: P-017` });
    await given.waitFor();
    await expectAccessible(page);
    await expectFitsPhone(page);

    await page.getByLabel('Code', { exact: true }).fill('P-017');
    await page.keyboard.press('Enter');
    await page.getByRole('rowheader', { name: of.other.name }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('code')).toBe('P-017');
    await page.getByLabel('Code', { exact: true }).fill('P-1');
    await page.keyboard.press('Enter');
    await page.getByText('Nobody has the code P-1').waitFor();
    await page.getByRole('button', { name: 'Show everyone' }).click();

    await given.click();
    await dialog.getByLabel('Code').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText(`${chidi.name} has no code now.`).waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await given.waitFor();
    expect(page.complaints).toEqual([]);
  });

  test('are typed on while the list of the one before is drawn', async () => {
    const of = await study();
    const page = await get().visit(of.editor, `/studies/${of.id}/members`);
    const kept = await page.getByLabel('Code', { exact: true }).evaluate(async (field: HTMLInputElement) => {
      const type = (text: string) => {
        field.value = text;
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      };
      type('P-017');
      field.dispatchEvent(new Event('change', { bubbles: true }));
      await new Promise((resolve) => setTimeout(resolve));
      type('P-1');
      // Effects run after a frame.
      for (let frames = 0; frames < 5; frames++) await new Promise(requestAnimationFrame);
      return field.value;
    });
    expect(kept).toBe('P-1');
  });

  test('come with an invitation, whose address owners write to', async () => {
    const { world, visit } = get();
    const of = await study();
    const eve = await signUp(world, `Eve of labels ${studies}`);
    const page = await visit(of.owner, `/studies/${of.id}/members`);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite somebody' });
    await dialog.getByLabel('E-mail address').fill(eve.email);
    await dialog.getByLabel('Code').fill('P-020');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('button', { name: `Change the code of ${eve.email}: P-020` }).click();
    const changing = page.getByRole('dialog', { name: `Code of ${eve.email}` });
    await changing.getByLabel('Code').fill('P-021');
    await changing.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: `Change the code of ${eve.email}: P-021` }).waitFor();

    expect((await eve.post(`/user/me/invitations/${of.id}/accept`)).status).toBe(200);
    const mailed = `mailto:${encodeURIComponent(eve.email)}`;
    for (const path of ['members', 'participants', 'overview']) {
      await page.goto(`${get().service.url}/console/studies/${of.id}/${path === 'overview' ? '' : path}`);
      const link = page.getByRole('link', { name: `Write an e-mail to ${eve.name}` }).first();
      expect(await link.getAttribute('href'), path).toBe(mailed);
      await page.getByText('P-021').first().waitFor();
      await expectAccessible(page);
      await expectFitsPhone(page);
    }
    const hers = await visit(of.editor, `/studies/${of.id}/participants`);
    await hers.getByText('P-021').waitFor();
    expect(await hers.getByRole('link', { name: /^Write an e-mail/ }).count()).toBe(0);
    expect([...page.complaints, ...hers.complaints]).toEqual([]);
  });

  test('stand beside names in participants, responses and the activity log, and narrow them', async () => {
    const of = await study();
    const { owner, responder, other } = of;
    await responder.patch('/user/me', { name: hostile });
    await owner.patch(`/investigation/${of.id}/member/${responder.id}`, { code: 'P-017' });
    for (const who of [responder, other]) await newResponse(of, who, await newCase(of, who));
    const page = await get().visit(owner, `/studies/${of.id}/participants?code=P-017`);
    await page.getByRole('rowheader', { name: 'P-017' }).getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: '<script>' }).waitFor();
    await page.getByText('Code: P-017').waitFor();
    await expectAccessible(page);

    await page.goto(`${get().service.url}/console/studies/${of.id}/data`);
    await page.getByText(other.name).waitFor();
    await page.getByLabel('Code').fill('P-017');
    await page.keyboard.press('Enter');
    await page.getByText(other.name).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'P-017' }).waitFor();
    await expectFitsPhone(page);
    await page.getByRole('link', { name: 'Night 1' }).click();
    await page.getByRole('heading', { level: 1, name: 'Response for Night 1' }).waitFor();
    await page.getByText('P-017').waitFor();

    await page.goto(`${get().service.url}/console/studies/${of.id}/activity?code=P-017`);
    const changed = page.getByRole('button', { name: /^Changed a code .*P-017/ });
    await changed.click();
    await page.getByText('Given', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Added a member' }).count()).toBe(1);
    await expectAccessible(page);
    expect(page.complaints).toEqual([]);
  });

  test('are none of the participants’ business', async () => {
    const of = await study();
    await of.owner.patch(`/investigation/${of.id}/member/${of.other.id}`, { code: 'P-018' });
    const page = await get().visit(of.responder, `/studies/${of.id}/members`);
    await page.getByRole('rowheader', { name: of.responder.name }).waitFor();
    expect(await page.getByText(of.other.name).count()).toBe(0);
    expect(await page.getByText('P-018').count()).toBe(0);
    expect(await page.getByText('Code').count()).toBe(0);
    await page.goto(`${get().service.url}/console/studies/${of.id}/data`);
    await page.getByRole('heading', { level: 1, name: 'Data' }).waitFor();
    expect(await page.getByLabel('Code').count()).toBe(0);
    expect(page.complaints).toEqual([]);
  });
});
