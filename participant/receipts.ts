import { api, isProblem, read } from './api.ts';
import { add, all, keysOf, remove } from './store.ts';
import { ForeignAnswer } from './verdict.ts';

/** An event of a notification. The earliest of each kind counts, so sending one twice changes nothing. */
export type ReceiptEvent = 'shown' | 'opened' | 'dismissed';

interface Receipt {
  notification: string;
  event: ReceiptEvent;
  /** By the phone's own clock. */
  at: string;
}

export async function noteReceipt(notification: string, event: ReceiptEvent): Promise<void> {
  await add('receipts', { notification, event, at: new Date().toISOString() } satisfies Receipt);
}

const mostReceipts = 500;

/** Sends what happened to notifications; receipts that the service refuses are of no use later either. */
export async function sendReceipts(): Promise<void> {
  const keys = (await keysOf('receipts')).slice(0, mostReceipts);
  if (keys.length === 0) return;
  const now = Date.now();
  const clock = new Date(now).toISOString();
  const receipts = (await all<Receipt>('receipts'))
    .slice(0, mostReceipts)
    // The clock may have been set back since.
    .map((receipt) => ({ ...receipt, at: new Date(Math.min(Date.parse(receipt.at), now)).toISOString() }));
  try {
    const { stored } = await read(api.user.me.receipts.$post({ json: { receipts, clock } }));
    if (typeof stored !== 'number') throw new ForeignAnswer();
  } catch (error) {
    if (!(isProblem(error, 400) && error.code !== 'unknown')) return;
  }
  for (const key of keys) await remove('receipts', key);
}
