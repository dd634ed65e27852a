import { viaFetch } from '../../../src/platform/server/sns-transport.ts';

export const viaUndici = () => viaFetch;
