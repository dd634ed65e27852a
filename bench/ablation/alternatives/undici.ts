import { readText } from '../../../src/outgoing.ts';
import { type Send, serverPost as signedPost } from '../../../src/platform/server/sns-post.ts';
import { maxAnswerBytes } from '../../../src/push/sns/post.ts';

export * from '../../../src/platform/server/sns-post.ts';

const viaFetch: Send = (url) => async (form) => {
  const response = await fetch(url, { ...form, redirect: 'manual' });
  return { status: response.status, text: await readText(response.body, maxAnswerBytes) };
};

export const serverPost = () => signedPost(viaFetch);
