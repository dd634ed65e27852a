import fc from 'fast-check';
import { seed } from './seed.ts';

/** Properties draw by the seed of the commit, as all tests do. */
fc.configureGlobal({ seed });
