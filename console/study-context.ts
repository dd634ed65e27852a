import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Study } from './api.ts';
import type { Property } from './groups.ts';
import type { Right } from './roles.ts';

/** The study whose screens are open. */
export interface StudyContext {
  study: Study;
  /** Its identifier. */
  id: string;
  /** The address of one of its screens: `screenPath('/data')`. */
  screenPath: (path: string) => string;
  /** The properties of people and cases that this person sees. */
  properties: readonly Property[];
  /** Whether the role of this person allows something. */
  can: (right: Right) => boolean;
}

export const StudyContext = createContext<StudyContext | undefined>(undefined);

export function useStudy(): StudyContext {
  const context = useContext(StudyContext);
  if (!context) throw new Error('outside of a study');
  return context;
}
