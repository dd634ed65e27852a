import { useEffect, useRef } from 'preact/hooks';
import { type AnswerOf, api } from '../../api.ts';
import type { Tone } from '../../components/states.tsx';

export const ofWebhook = api.webhook[':id'];
export type Webhook = AnswerOf<typeof ofWebhook.$get>;
export type Call = AnswerOf<typeof ofWebhook.deliveries.$get>['deliveries'][number];

export const kindNames = ['study', 'case', 'response', 'survey', 'member'] as const;

export const tones: Record<Webhook['state'], Tone> = {
  active: 'good',
  paused: 'plain',
  failing: 'warn',
  disabled: 'bad',
};

const everyMs = 5_000;

/** Calls happen without anybody here: asks again every few seconds while the page is visible. */
export function useRepeated(reload: () => void) {
  const latest = useRef(reload);
  latest.current = reload;
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') latest.current();
    }, everyMs);
    return () => clearInterval(timer);
  }, []);
}
