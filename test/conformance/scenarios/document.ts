import type { ServiceWorld } from '../support/worlds.ts';

/** The API document, which servers make and the build of the Worker has made: its ETag is that of its bytes. */
export async function document(world: ServiceWorld): Promise<void> {
  const { status, headers, body } = await world.send('/openapi.json');
  if (status !== 200 || !body.paths['/openapi.json']) throw new Error(`expected the document, not ${status}`);
  await world.send('/openapi.json', { headers: { 'if-none-match': headers.get('etag') ?? '' } });
  for (const method of ['HEAD', 'OPTIONS', 'POST']) await world.send('/openapi.json', { method });
}
