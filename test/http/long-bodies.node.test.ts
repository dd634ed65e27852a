import { expect, test } from 'vitest';
import { readDocument } from '../contract/document.ts';
import { longBodies, placesOfTexts } from './support/costs/long-texts.ts';
import { routesOf } from './support/fuzz/requests.ts';

test('each text of each body gets each long text, at any depth', async () => {
  const { document } = await readDocument();
  const routes = routesOf(document);
  const places = (id: string) => {
    const route = routes.find(({ operation }) => operation.operationId === id);
    const schema = route?.operation.requestBody?.content['application/json']?.schema ?? {};
    return placesOfTexts(schema).map((place) => place.join('/'));
  };
  expect(places('addMember')).toEqual(expect.arrayContaining(['email', 'code', 'user']));
  expect(places('createSurvey')).toEqual(
    expect.arrayContaining([
      'name',
      'items/0/label',
      'reminders/notification/body',
      'reminders/translations/q1/body',
    ]),
  );
  expect(places('createResponse')).toContain('items/q1');
  expect(routes.flatMap((route) => longBodies(route, { one: 'x' })).length).toBeGreaterThan(100);
});
