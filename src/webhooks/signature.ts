const prefix = 'whsec_';
const secretBytes = 32;

/** A secret of Standard Webhooks 1.0: `whsec_` and base64 of 32 random bytes. */
export const newWebhookSecret = (): string =>
  prefix + btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(secretBytes))));

const encoder = new TextEncoder();

/** The headers of a call by Standard Webhooks 1.0, with a signature for each secret. `at`: epoch ms. */
export async function signedHeaders(
  secrets: readonly string[],
  { id, at, body }: { id: string; at: number; body: string },
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(at / 1000));
  const signed = encoder.encode(`${id}.${timestamp}.${body}`);
  const signatures = secrets.map(async (secret) => {
    const bytes = Uint8Array.from(atob(secret.slice(prefix.length)), (one) => one.charCodeAt(0));
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
    ]);
    const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed));
    return `v1,${btoa(String.fromCharCode(...signature))}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': (await Promise.all(signatures)).join(' '),
  };
}
