import { expect, test } from 'vitest';
import { signUp } from '../support/people.ts';
import { newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone } from './support/console.ts';
import { hostile } from './support/hostile.ts';

let studies = 0;

describeConsole('members', (get) => {
  const study = () => newStudy(get().world, { of: `members ${studies++}` });

  test('roles are changed at once, and back by undo; the last owner stays one', async () => {
    const of = await study();
    const page = await get().visit(of.owner, `/studies/${of.id}/members`);
    const roleOf = async (user: string) =>
      (await of.owner.get(`/investigation/${of.id}/members`)).body.members.find(
        (member: { identifier: string }) => member.identifier === user,
      )?.role;
    await expectAccessible(page);
    const chidi = page.getByLabel(`Role of ${of.responder.name}`);
    await chidi.selectOption('Editor');
    await page.getByText(`The role of ${of.responder.name} is now editor.`).waitFor();
    expect(await roleOf(of.responder.id)).toBe('editor');
    expect(await chidi.inputValue()).toBe('editor');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.waitForFunction(
      `document.querySelector('select[aria-label="Role of ${of.responder.name}"]').value === 'responder'`,
    );
    await page.waitForLoadState('networkidle');
    expect(await roleOf(of.responder.id)).toBe('responder');

    await page.getByLabel(`Role of ${of.owner.name}`).selectOption('Editor');
    const dialog = page.getByRole('dialog', { name: 'Give up your own role?' });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Give up the role' }).click();
    await dialog.getByText('A study needs at least one owner').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel(`Role of ${of.owner.name}`).inputValue()).toBe('owner');
    expect(page.complaints).toEqual([]);
  });

  test('somebody is removed after a question, and added again by undo', async () => {
    const of = await study();
    const page = await get().visit(of.owner, `/studies/${of.id}/members`);
    const remove = page.getByRole('button', { name: `Remove ${of.other.name}` });
    await remove.click();
    const dialog = page.getByRole('dialog', { name: `Remove ${of.other.name}?` });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await remove.waitFor({ state: 'detached' });
    expect((await of.other.get(`/investigation/${of.id}`)).status).toBe(404);
    await page.getByRole('button', { name: 'Undo' }).click();
    await remove.waitFor();
    expect((await of.other.get(`/investigation/${of.id}`)).body.role).toBe('responder');
  });

  test('a link that the browser does not let be copied is there to select', async () => {
    const of = await study();
    await of.owner.post(`/investigation/${of.id}/member`, { email: 'dana@example.org', role: 'editor' });
    // Denied, and absent as on a page without https.
    for (const clipboard of [
      '{ writeText: () => Promise.reject(new DOMException("no", "NotAllowedError")) }',
      'undefined',
    ]) {
      const page = await get().newPage();
      await page.addInitScript(`Object.defineProperty(navigator, 'clipboard', { value: ${clipboard} })`);
      await page.goto(`${get().service.url}/console/studies/${of.id}/members#token=${of.owner.token}`);
      await page.getByRole('button', { name: 'Copy link' }).click();
      const field = page.getByLabel('The browser does not allow copying');
      await field.waitFor();
      expect(await field.inputValue()).toMatch(/\/console/);
      await expect.poll(() => page.evaluate('getSelection().toString()')).toBe(await field.inputValue());
      await expectAccessible(page);
      await expectFitsPhone(page);
      expect(page.complaints).toEqual([]);
    }
  });

  test('an address is invited, written to, revoked, and invited again; who signs in with it accepts', async () => {
    const { world, visit } = get();
    const of = await study();
    const eve = await signUp(world, `Eve ${studies}`);
    const page = await visit(of.owner, `/studies/${of.id}/members`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByText('There are no open invitations').waitFor();
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByLabel('E-mail address').fill('not an address');
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    await page.getByText('Expected an e-mail address.').first().waitFor();
    await expectAccessible(page);
    await page.getByLabel('E-mail address').fill(eve.email);
    await page.getByRole('radio', { name: 'Editor' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('rowheader', { name: eve.email }).waitFor();
    await page.getByRole('columnheader', { name: 'Open since' }).waitFor();
    await expectAccessible(page);

    const mail = page.getByRole('link', { name: `Write an e-mail to ${eve.email}` });
    const address = new URL((await mail.getAttribute('href')) ?? '');
    expect(decodeURIComponent(address.pathname)).toBe(eve.email);
    const link = /http:\S+/.exec(address.searchParams.get('body') ?? '')?.[0] ?? '';
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Copied').waitFor({ state: 'attached' });
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(link);

    await page.getByRole('button', { name: `Revoke the invitation for ${eve.email}` }).click();
    await page.getByText('There are no open invitations').waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByRole('rowheader', { name: eve.email }).waitFor();

    const { pathname, search } = new URL(link);
    const hers = await visit(eve, pathname.replace('/console', '') + search);
    await hers.getByText(`${of.owner.name} invites you to join as editor.`).waitFor();
    await expectAccessible(hers);
    await hers.getByRole('button', { name: /^Accept/ }).click();
    await hers.getByRole('navigation', { name: 'Study' }).waitFor();
    expect((await eve.get(`/investigation/${of.id}`)).body.role).toBe('editor');
    expect([...page.complaints, ...hers.complaints]).toEqual([]);
  });

  test('an invitation is declined', async () => {
    const { world, visit } = get();
    const of = await study();
    const finn = await signUp(world, `Finn ${studies}`);
    await of.owner.post(`/investigation/${of.id}/member`, { email: finn.email, role: 'responder' });
    const page = await visit(finn);
    await page.getByRole('button', { name: /^Decline/ }).click();
    await page.getByText(/You declined the invitation/).waitFor();
    await page.getByText('Invitations for you').waitFor({ state: 'detached' });
    expect((await finn.get('/user/me/invitations')).body.invitations).toEqual([]);
  });

  test('members who are not owners change nobody, and may leave', async () => {
    const of = await study();
    const page = await get().visit(of.editor, `/studies/${of.id}/members`);
    await page.getByRole('rowheader', { name: of.owner.name }).waitFor();
    expect(await page.getByLabel(/^Role of/).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Leave the study' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave the study' }).click();
    await page.getByText('You have left the study.').waitFor();
    expect((await of.editor.get(`/investigation/${of.id}`)).status).toBe(404);
  });

  test('hostile names are shown as they are, and all fits a phone', async () => {
    const of = await study();
    await of.responder.patch('/user/me', { name: hostile });
    await of.owner.patch(`/investigation/${of.id}`, { name: hostile });
    const email = `a?subject=x&body=${'y'.repeat(40)}@example.org`;
    expect((await of.owner.post(`/investigation/${of.id}/member`, { email, role: 'editor' })).status).toBe(
      201,
    );
    const page = await get().visit(of.owner, `/studies/${of.id}/members`);
    const mail = new URL(
      (await page.getByRole('link', { name: /^Write an e-mail/ }).getAttribute('href')) ?? '',
    );
    expect(decodeURIComponent(mail.pathname)).toBe(email);
    expect(mail.searchParams.get('body')).toContain(hostile);
    expect(await page.locator('img[src=x], main script').count()).toBe(0);
    await expectFitsPhone(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Revoke/ }).click();
    await page.getByText('There are no open invitations').waitFor();
    expect(page.complaints).toEqual([]);
  });
});
