import { Agent, setGlobalDispatcher } from 'undici';

/*
 * A connection of its own for each request of a test. Servers close an idle one in silence (workerd after 5 s), and on
 * a busy machine that may be just when the next request has been written to it.
 */
setGlobalDispatcher(new Agent({ pipelining: 0 }));
