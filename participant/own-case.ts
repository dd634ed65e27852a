import { newIdentifier } from '../client/client.ts';
import { api, isProblem, read } from './api.ts';
import { keep, readKept } from './store.ts';
import { ForeignAnswer } from './verdict.ts';

/* All answers of a participant to a study are of one case, which is made with the first ones. */

interface OwnCase {
  identifier: string;
  isThere: boolean;
}

type OwnCases = Record<string, OwnCase>;

const readCases = async () => (await readKept<OwnCases>('cases')) ?? {};
const keepCase = async (study: string, own: OwnCase) =>
  keep('cases', { ...(await readCases()), [study]: own });

/** The identifier of the own case, which is found or made where it is not known. */
export async function ownCase({ study, user }: { study: string; user: string }): Promise<string> {
  const known = (await readCases())[study] ?? { identifier: await findOrChoose(study, user), isThere: false };
  if (known.isThere) return known.identifier;
  // Before it is asked for, so that a second try asks for the same one.
  await keepCase(study, known);
  if (await make(study, known.identifier)) await keepCase(study, { ...known, isThere: true });
  return known.identifier;
}

/** The study has the case no more, or not for this participant: the next answers go to another one. */
export async function replaceCase({ study, user }: { study: string; user: string }): Promise<void> {
  const { [study]: known, ...others } = await readCases();
  // If the list cannot be read now, the next answers look for one.
  await keep('cases', others);
  await keepCase(study, { identifier: await findOrChoose(study, user, known?.identifier), isThere: false });
}

/** An earlier phone may have made it. The list has neither archived nor deleted ones. */
async function findOrChoose(study: string, user: string, except?: string): Promise<string> {
  const query = { limit: '1000' };
  try {
    const { cases } = await read(api.investigation[':id'].cases.$get({ param: { id: study }, query }));
    const own = cases.filter(
      ({ creatorIdentifier, hidden, identifier }) =>
        creatorIdentifier === user && !hidden && identifier !== except,
    );
    return own[own.length - 1]?.identifier ?? newIdentifier();
  } catch (error) {
    if (isOver(error)) return newIdentifier();
    throw error;
  }
}

/** Whether it is there. In a study that is over none is made; the service says so to the answer itself. */
async function make(study: string, identifier: string): Promise<boolean> {
  try {
    const request = api.investigation[':id'].case.$post({ param: { id: study }, json: { identifier } });
    if ((await read(request)).identifier !== identifier) throw new ForeignAnswer();
    return true;
  } catch (error) {
    // The team of the study has given it another name.
    if (isProblem(error) && error.code === 'identifier.taken') return true;
    if (isOver(error)) return false;
    throw error;
  }
}

const isOver = (error: unknown) =>
  isProblem(error, 403, 404, 409) &&
  ['study.archived', 'resource.not-found', 'action.forbidden'].includes(error.code);
