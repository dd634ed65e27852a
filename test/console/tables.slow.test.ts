import { expect, test } from 'vitest';
import { created } from '../support/people.ts';
import { newCase, newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone, savedBy, settled } from './support/console.ts';

let studies = 0;

describeConsole(
  'tables',
  (get) => {
    const newOne = () => newStudy(get().world, { of: `tables ${studies++}` });

    test('are saved exactly as they are shown', async () => {
      const study = await newOne();
      await study.responder.patch('/user/me', { name: '=SUM(A1)' });
      const page = await get().visit(study.owner, `/studies/${study.id}/participants`);
      await page.getByRole('rowheader', { name: study.other.name }).waitFor();
      await expectAccessible(page);
      const save = () => page.getByRole('button', { name: 'Save this table as CSV' }).click();
      const { name, text } = await savedBy(page, save);
      expect(name).toMatch(/\.csv$/);
      const [header = '', ...lines] = text.replace('\uFEFF', '').trim().split('\r\n');
      expect(header).toBe(
        'Name,Attention,Due,Sent,Not sent,Opened,Answered,Answer rate,Last answer,Phone last seen',
      );
      expect(lines).toHaveLength(2);
      expect(lines.find((line) => line.includes('SUM'))).toMatch(/^'=SUM\(A1\),/);
      await page.getByLabel('Show').selectOption({ label: 'Paused' });
      await page.getByText('No participant matches').waitFor();
      await page.getByRole('button', { name: 'Show everyone' }).click();
      await expectFitsPhone(page);
      expect(page.complaints).toEqual([]);
    });

    test('keep filters under names of the person’s own', async () => {
      const study = await newOne();
      const page = await get().visit(study.owner, `/studies/${study.id}/participants?attention=unreachable`);
      const saved = page.getByLabel('Saved filters');
      await saved.selectOption({ label: 'Save or delete …' });
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name for the current filters').fill('To call');
      await expectAccessible(page);
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await page.goto(`${get().service.url}/console/studies/${study.id}/participants`);
      await settled(page);
      await saved.selectOption({ label: 'To call' });
      await page.waitForURL('**attention=unreachable');
      expect(await page.getByLabel('Show').inputValue()).toBe('unreachable');
      // Nobody else has them.
      const other = await get().visit(study.editor, `/studies/${study.id}/participants`);
      expect(await other.getByLabel('Saved filters').locator('option').allInnerTexts()).not.toContain(
        'To call',
      );
      await page.reload();
      await settled(page);
      await saved.selectOption({ label: 'Save or delete …' });
      await dialog.getByRole('button', { name: 'Delete the filters “To call”' }).click();
      await page.keyboard.press('Escape');
      expect(await saved.locator('option').allInnerTexts()).not.toContain('To call');
      expect(page.complaints).toEqual([]);
    });

    test('of responses show labels of options, and whether a reminder was answered', async () => {
      const study = await newOne();
      const { owner, responder } = study;
      const options = [
        { value: 'a', label: 'Rather tired' },
        { value: 'b', label: 'Wide awake' },
      ];
      const items = [
        { identifier: 'q1', label: 'How are you?', answer: { kind: 'choices', options } },
        { identifier: 'q2', label: 'Coffee?', answer: { kind: 'yes-no' } },
      ];
      const survey: string = created(
        await owner.post(`/investigation/${study.id}/survey`, { name: 'Kinds', items }),
      ).identifier;
      const made = created(
        await responder.post(`/survey/${survey}/response`, {
          case: await newCase(study, owner),
          items: { q1: 'a b', q2: 'yes' },
        }),
      );
      const page = await get().visit(owner, `/studies/${study.id}/data`);
      const row = page.getByRole('row').filter({ hasText: 'Kinds' });
      await row.getByText('Rather tired, Wide awake · Yes').waitFor();
      await row.getByText('Answers no reminder').waitFor();
      await page.route('**/responses?*', async (route) => {
        const response = await route.fetch();
        const body = await response.json();
        for (const one of body.responses) Object.assign(one, { notification: 'f'.repeat(32), late: true });
        await route.fulfill({ response, json: body });
      });
      await page.reload();
      await row.getByText('Late for its reminder').waitFor();
      await row.getByRole('link').first().click();
      await page.getByText('Rather tired, Wide awake', { exact: true }).first().waitFor();
      await responder.patch(`/response/${made.uri?.split('/').at(-1) ?? made.identifier}`, {
        items: { q2: 'no' },
      });
      await page.reload();
      await page.locator('del', { hasText: 'Yes' }).waitFor();
      await page.locator('ins', { hasText: 'No' }).waitFor();
      await expectAccessible(page);
      expect(page.complaints).toEqual([]);
    });
  },
  { on: ['node'] },
);
