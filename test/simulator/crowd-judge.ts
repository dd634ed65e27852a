import { cpuOf, plainRead } from '../support/local-service.ts';
import { created, type Person, signUp } from '../support/people.ts';
import { newResponse } from '../support/studies.ts';
import type { CrowdWorld } from './crowd-world.ts';

/** A right of honest people that hostile ones took. */
export interface Finding {
  rule: 'answered in turn' | 'names' | 'answers kept' | 'minutes go on' | 'look-ups go on' | 'codes last';
  what: string;
}

/** In plain reads: computing between two answers to somebody else. A tenth of a second is 350 of them. */
const bound = 350;

export interface Judge {
  findings: Finding[];
  find(rule: Finding['rule'], what: string): void;
  /** While something goes on, somebody else reads again and again: each read is to be answered soon. */
  answersMeanwhile<T>(what: string, work: () => Promise<T>): Promise<T>;
  /** An answer to a hostile person names nobody whom they may not see. */
  noNames(what: string, text: string): void;
  /** An honest participant answers, and an honest owner goes on working. */
  goesOn(what: string): Promise<void>;
}

export async function createJudge({ service, study, item, secrets }: CrowdWorld): Promise<Judge> {
  const findings: Finding[] = [];
  const { owner, responder } = study;
  const find: Judge['find'] = (rule, what) => {
    findings.push({ rule, what });
  };
  // Of as many people as no limit refuses.
  const readers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => signUp(service.world, `Reader ${n}`)),
  );
  let turn = 0;
  const read = () => (readers[turn++ % readers.length] as Person).get('/user/me');
  const unit = await plainRead(read, 100);

  async function longestBetween<T>(work: () => Promise<T>) {
    let longest = 0;
    let ended = false;
    const watching = (async () => {
      while (!ended)
        longest = Math.max(
          longest,
          (
            await cpuOf(async () => {
              await later();
              await read();
            })
          ).cpu,
        );
    })();
    await later();
    const result = await work().finally(() => {
      ended = true;
    });
    await watching;
    return { result, cost: longest / unit };
  }

  return {
    findings,
    find,
    async answersMeanwhile(what, work) {
      const { result, cost } = await longestBetween(work);
      if (cost >= bound)
        find('answered in turn', `${what}: another waited for ${cost.toFixed(0)} plain reads`);
      return result;
    },
    noNames(what, text) {
      const seen = secrets.find((name) => text.includes(name));
      if (seen) find('names', `${what} shows ${seen}`);
    },
    async goesOn(what) {
      try {
        await newResponse(study, responder, item);
        created(await owner.post(`/investigation/${study.id}/case`, { label: 'Another night' }));
      } catch (error) {
        find('answers kept', `${what}: ${String(error).slice(0, 200)}`);
      }
    },
  };
}

const later = () => new Promise<void>((resolve) => setImmediate(resolve));
