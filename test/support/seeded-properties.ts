import fc from 'fast-check';
import { seed } from './seed.ts';

/** What properties draw: another for each commit, as all that tests draw. */
fc.configureGlobal({ seed });
