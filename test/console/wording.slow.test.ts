import { expect, test } from 'vitest';
import { choice, item, option } from '../support/items.ts';
import { newCase, newResponse, newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone } from './support/console.ts';

let studies = 0;

const sleep = (options: Record<string, string>, label = 'How did you sleep?') =>
  item('q1', choice(...Object.entries(options).map(([value, name]) => option(value, name))), label);
const note = item('q2', undefined, 'Anything else?');

describeConsole('a changed wording', (get) => {
  /** Three answers “Well” and one “Badly”; nobody has answered “So so”. */
  async function answered() {
    const study = await newStudy(get().world, { of: `wording ${studies++}` });
    const items = [sleep({ well: 'Well', soso: 'So so', badly: 'Badly' }), note];
    expect((await study.editor.patch(`/survey/${study.survey}`, { items })).status).toBe(200);
    const night = await newCase(study, study.editor, 'Night 1');
    const responses: string[] = [];
    for (const q1 of ['well', 'well', 'well', 'badly'])
      responses.push(await newResponse(study, study.responder, night, { q1, q2: 'no' }));
    const page = await get().visit(study.editor, `/studies/${study.id}/surveys/${study.survey}/items`);
    const save = () => page.getByRole('button', { name: 'Save survey' }).click();
    const dialog = page.getByRole('dialog', { name: 'This survey has answers' });
    const first = page.getByRole('group', { name: 'Item 1' });
    /** The options, one a line: the value, and then the label. */
    const options = first.getByRole('textbox', { name: 'Options' });
    return { study, responses, page, save, dialog, first, options };
  }
  const labelsOf = async ({ study }: Awaited<ReturnType<typeof answered>>) =>
    (await study.owner.get(`/survey/${study.survey}`)).body.items[0].answer.options.map(
      (option: { label: string }) => option.label,
    );

  test('is saved after a question that says which labels change, and for how many answers', async () => {
    const of = await answered();
    const { page, save, dialog, options } = of;
    await options.fill('well Good\nsoso So so\nbadly Badly');
    await save();
    await dialog.getByText('How did you sleep?: “Well” becomes “Good”: 3 answers.').waitFor();
    expect(await dialog.getByRole('listitem').count()).toBe(1);
    await expectAccessible(page);
    await expectFitsPhone(page);
    await dialog.getByRole('button', { name: 'Go back' }).click();
    expect(await labelsOf(of)).toEqual(['Well', 'So so', 'Badly']);
    expect(await options.inputValue()).toContain('well Good');
    await save();
    await dialog.getByRole('button', { name: 'Save the changes' }).click();
    await page.getByText('Good · So so · Badly').waitFor();
    expect(await labelsOf(of)).toEqual(['Good', 'So so', 'Badly']);
    expect(page.complaints).toEqual([]);
  });

  test('names options that are gone, and the question', async () => {
    const of = await answered();
    const { study, page } = of;
    await page.route('**/answer-counts', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), complete: false } });
    });
    const { first, save, dialog, options } = of;
    await options.fill('well Well\nsoso So so');
    await first.getByLabel('Label', { exact: true }).first().fill('How was your night?');
    await save();
    await dialog
      .getByText('“How did you sleep?” becomes “How was your night?”: at least 4 answers.')
      .waitFor();
    await dialog
      .getByText('“Badly” is no longer an option: the former label stays with at least 1 answer.')
      .waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save the changes' }).click();
    const changed = async () => (await study.owner.get(`/survey/${study.survey}`)).body.items[0];
    await expect.poll(async () => (await changed()).label).toBe('How was your night?');
    expect((await changed()).answer.options).toHaveLength(2);
    expect(page.complaints).toEqual([]);
  });

  test('asks nothing if no answer is concerned', async () => {
    const of = await answered();
    await of.options.fill('well Well\nsoso Neither\nbadly Badly');
    await of.save();
    await of.page.getByText('Well · Neither · Badly').waitFor();
    expect(await labelsOf(of)).toEqual(['Well', 'Neither', 'Badly']);
  });

  test('leaves given answers as they were asked: in the list, on the page, and in the form', async () => {
    const { study, responses, page } = await answered();
    const items = [sleep({ well: 'Good', badly: 'Bad' }, 'How was your night?'), note];
    expect((await study.editor.patch(`/survey/${study.survey}`, { items })).status).toBe(200);
    const go = (path: string) => page.goto(`${get().service.url}/console/studies/${study.id}/${path}`);
    await go('data');
    await page.getByText('Well · no').first().waitFor();
    await go(`data/responses/${responses[0]}`);
    const answers = page.locator('dl.answers');
    await answers.getByText('How did you sleep?', { exact: true }).waitFor();
    await answers.getByText('Well', { exact: true }).waitFor();
    await answers.getByText('The survey says today: How was your night?: Good').waitFor();
    await go(`data/responses/${responses[0]}/edit`);
    await page.getByText('Asked as “How did you sleep?”, answered with “Well”.').waitFor();
    await expectAccessible(page);
    expect(page.complaints).toEqual([]);
  });
});
