import { env } from 'cloudflare:workers';
import type { Bindings } from './bindings.ts';

/**
 * The OpenAPI document from the build (`build/document.mjs`). Replaces `http/openapi/document.ts` by `alias` in
 * `wrangler.toml`, so that the Worker has no code that makes the document.
 */
export async function documentOf(): Promise<string> {
  const file = await (env as Bindings).ASSETS.fetch('https://assets.local/openapi.json');
  if (!file.ok) throw new Error(`The built OpenAPI document is not among the assets: ${file.status}`);
  return file.text();
}
