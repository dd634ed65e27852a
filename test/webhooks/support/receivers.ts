import { vi } from 'vitest';

export interface Received {
  url: string;
  headers: Record<string, string>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
  body: any;
  redirect: string | undefined;
}

/** A receiver on the internet: it notes each call to a host of `example.org`, and answers as `answer` says. */
export function receiver(answer: (call: Received, n: number) => Response | Promise<Response>) {
  const calls: Received[] = [];
  const others = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (!String(input).includes('example.org')) return others(input, init);
    const text = String(init?.body);
    const call = {
      url: String(input),
      headers: init?.headers as Record<string, string>,
      text,
      body: JSON.parse(text),
      redirect: init?.redirect,
    };
    calls.push(call);
    return answer(call, calls.length);
  });
  return calls;
}
