import { expect, test } from 'vitest';
import { describeConsole, expectAccessible } from '../console/support/console.ts';
import { created } from '../support/people.ts';
import { newStudy } from '../support/studies.ts';
import { begin, keptBy, openAt, openPhone } from './support/phone.ts';

/* The phone's memory goes away behind the page's back: in the background, without room, in private windows. */

let studies = 0;

/** Keeps the connections of the page, which the system may close. */
function watchConnections() {
  const scope = self as unknown as { connections: IDBDatabase[]; refused: number };
  scope.connections = [];
  scope.refused = Number(sessionStorage.getItem('test.refused') ?? 0);
  const open = IDBFactory.prototype.open;
  IDBFactory.prototype.open = function (...given) {
    if (scope.refused-- > 0)
      throw new DOMException('Connection to Indexed Database server lost', 'UnknownError');
    const request = open.apply(this, given);
    request.addEventListener('success', () => scope.connections.push(request.result));
    return request;
  };
}

describeConsole('a phone whose memory goes away', (get) => {
  const url = () => get().service.url;

  async function takingPart() {
    const study = await newStudy(get().world, { of: `memory ${++studies}` });
    created(
      await study.owner.post(`/investigation/${study.id}/survey`, {
        name: 'Side effects',
        items: [{ identifier: 'q1', label: 'Did you feel anything unusual?' }],
      }),
    );
    const phone = await openPhone(get());
    await phone.page.addInitScript(watchConnections);
    await begin(phone, url(), study.other, study);
    const responses = async () =>
      (await study.owner.get(`/investigation/${study.id}/responses`)).body.responses;
    return { study, phone, page: phone.page, responses };
  }

  const closeAll = 'for (const one of connections) one.close()';

  test('the system closes the connection while a form is open: the answer is kept and sent', async () => {
    const { page, responses } = await takingPart();
    for (const [n, lose] of [
      closeAll,
      `${closeAll}; for (const one of connections) one.dispatchEvent(new Event('close'))`,
      // The first attempt to open it again fails.
      `${closeAll}; self.refused = 1`,
    ].entries()) {
      await openAt(page, url());
      await page.getByRole('link', { name: 'Side effects' }).click();
      await page.getByLabel('Did you feel anything unusual?').waitFor();
      await page.evaluate(lose);
      await page.getByLabel('Did you feel anything unusual?').fill(`a headache ${n}`);
      await page.evaluate(lose);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('heading', { name: /Thank you/ }).waitFor();
      expect(await responses()).toHaveLength(n + 1);
      expect((await responses())[n]).toMatchObject({ items: { q1: `a headache ${n}` } });
    }
    expect(page.complaints).toEqual([]);
  });

  test('the very first attempt to open it fails, and the next one works', async () => {
    const { page } = await takingPart();
    await page.evaluate("sessionStorage.setItem('test.refused', '1')");
    await openAt(page, url());
    await page.getByRole('link', { name: 'Side effects' }).waitFor();
    expect(page.complaints).toEqual([]);
  });

  test('without any, the page says so and names the way out, and does not use up a code', async () => {
    const { page } = await takingPart();
    await page.evaluate("sessionStorage.setItem('test.refused', '1000')");
    await page.goto('about:blank');
    await openAt(page, url(), '#7KQM-2XWD-94PT');
    await page.getByRole('heading', { name: 'This browser keeps nothing' }).waitFor();
    await page.getByText('Your code is still good: 7KQM-2XWD-94PT').waitFor();
    expect(await page.getByRole('button', { name: 'Join' }).count()).toBe(0);
    await expectAccessible(page);
    await page.evaluate("sessionStorage.removeItem('test.refused')");
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor();
  });

  test('no room for what is typed is said while the form is open', async () => {
    const { page } = await takingPart();
    await page.getByRole('link', { name: 'Side effects' }).click();
    await page.getByLabel('Did you feel anything unusual?').waitFor();
    await page.evaluate(`self.put = IDBObjectStore.prototype.put; IDBObjectStore.prototype.put = () => {
      throw new DOMException('Quota exceeded', 'QuotaExceededError');
    }`);
    await page.getByLabel('Did you feel anything unusual?').fill('a headache');
    await page.getByRole('alert').getByText('This phone keeps nothing at the moment.').waitFor();
    await expectAccessible(page);
    expect(await page.getByLabel('Did you feel anything unusual?').inputValue()).toBe('a headache');
    await page.evaluate('IDBObjectStore.prototype.put = self.put');
    await page.getByLabel('Did you feel anything unusual?').fill('a headache, at noon');
    await page.getByRole('alert').getByText('This phone keeps nothing').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: /Thank you/ }).waitFor();
  });

  test('a database that never answers is given up: a push is shown all the same, with its text', async () => {
    const { phone } = await takingPart();
    const worker = await phone.worker();
    await worker.evaluate(
      'IDBObjectStore.prototype.get = () => ({}); IDBFactory.prototype.open = () => ({})',
    );
    const data = { survey: '0'.repeat(32), notification: '1'.repeat(32) };
    await phone.push({ title: 'Diary', body: 'How was your night?', data });
    expect(await phone.shown()).toMatchObject([{ title: 'Diary', options: { body: 'How was your night?' } }]);
  });

  test('a connection that is closed under the service worker is opened again', async () => {
    const { phone, page } = await takingPart();
    const worker = await phone.worker();
    await worker.evaluate(`(() => {
      const transaction = IDBDatabase.prototype.transaction;
      let lost = true;
      IDBDatabase.prototype.transaction = function (...given) {
        if (lost) { lost = false; this.close(); }
        return transaction.apply(this, given);
      };
    })()`);
    const data = { survey: '0'.repeat(32), notification: '1'.repeat(32) };
    await phone.push({ title: 'Diary', body: 'How was your night?', data });
    await expect.poll(() => keptBy(page, 'arrived')).toMatchObject([{ notification: data.notification }]);
  });
});
