import { describe } from 'vitest';
import { testStreaming } from './support/streamed-lists.ts';

describe('a plain request streams', () => testStreaming(50_000, 52));
