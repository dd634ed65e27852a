import { faults, reminders } from './scenarios/reminders.ts';
import { expectAgreement } from './support/agreement.ts';

/*
 * Reminders of a real minute of the wall clock. workerd's alarms are spread over two seconds, and its crons are not
 * fired by the local tools, so nothing here relies on a sweep.
 */
expectAgreement({ reminders, faults });
