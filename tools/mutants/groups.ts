import { answered } from './answered.ts';
import { aside } from './aside.ts';
import { bounded } from './bounded.ts';
import { budgets } from './budgets.ts';
import { counted } from './counted.ts';
import { delivered } from './delivered.ts';
import { fair } from './fair.ts';
import { joined } from './joined.ts';
import { locked } from './locked.ts';
import type { Mutant } from './mutant.ts';
import { once } from './once.ts';
import { outgoing } from './outgoing.ts';
import { permitted } from './permitted.ts';
import { planned } from './planned.ts';
import { recorded } from './recorded.ts';
import { reminding } from './reminding.ts';
import { shared } from './shared.ts';
import { stored } from './stored.ts';
import { told } from './told.ts';
import { visible } from './visible.ts';

/** Each group is a promise of the service. */
export const groups: Readonly<Record<string, readonly Mutant[]>> = {
  answered,
  planned,
  once,
  permitted,
  joined,
  delivered,
  recorded,
  locked,
  visible,
  fair,
  stored,
  counted,
  told,
  outgoing,
  budgets,
  bounded,
  shared,
  aside,
  reminding,
};
