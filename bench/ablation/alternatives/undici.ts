import { serverPost as signedPost, viaFetch } from '../../../src/platform/server/sns-post.ts';

export * from '../../../src/platform/server/sns-post.ts';

export const serverPost = () => signedPost(viaFetch);
