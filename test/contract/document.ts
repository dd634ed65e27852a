import { createApp } from '../../src/app.ts';
import type { OpenApiDocument } from '../../src/http/openapi/document.ts';
import type { Limits, Services } from '../../src/services.ts';

/** An application that can do nothing but describe itself. */
export const createMuteApp = () =>
  createApp({ now: () => 0, log: () => {} } as unknown as Services, {
    auth: { issuer: 'x', audience: 'x', keys: { secret: 'x'.repeat(32) } },
    limits: {} as Limits,
  });

/** The document, as it is served. */
export async function readDocument(): Promise<{ text: string; document: OpenApiDocument }> {
  const answer = await createMuteApp().request('/openapi.json');
  const text = await answer.text();
  return { text, document: JSON.parse(text) };
}
