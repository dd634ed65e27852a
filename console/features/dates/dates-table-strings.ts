import { count, formatNumber } from '../../format.ts';

/** Loaded with the screen of dates from a table. */
export const tableStrings = {
  file: {
    title: 'Dates from a table',
    about: 'Sets the dates, the time in the study, and the properties of many people at once.',
    back: 'Members',
    templateTitle: '1. Take a table',
    templateAbout:
      'The table has one line for each person who takes part, with the dates and properties that are known. Fill it in, and save it as CSV in UTF-8.',
    template: 'Save the table',
    templateName: (study: string) => `${study}, dates`,
    fillTitle: '2. Fill it in, and choose it',
    choose: 'File',
    text: 'Or paste the table',
    textHint: (columns: string) =>
      `The first line names the columns: ${columns}. “user” is the identifier of the person, “code” their code; one of the two is enough. Dates are written as 2027-03-08. An empty cell changes nothing. At most 1,000 people.`,
    reserved: (names: string) =>
      `Dates with the name of another column cannot be set by a table, only on the page of a person: ${names}.`,
    check: 'Show what moves',
    effectTitle: '3. Look at what moves, and set the dates',
    set: (n: number) => `Set the dates of ${count(n, 'person', 'people')}`,
    done: (n: number) =>
      n === 0
        ? 'All of these dates were set already.'
        : `The dates of ${count(n, 'person', 'people')} are set.`,
    changed: (n: number) => `${count(n, 'person gets', 'people get')} other dates, or another time.`,
    moved: (n: number) =>
      n === 0 ? 'No reminders move.' : `The reminders of ${count(n, 'person', 'people')} move.`,
    nothing: 'Nothing changes: all of these dates are set already.',
    faults: (n: number) => `${count(n, 'line', 'lines')} cannot be read. Nothing has been changed.`,
    moreFaults: (n: number) => `And ${formatNumber(n)} more.`,
    line: (n: number) => `Line ${n}`,
    notText: 'The file is not in UTF-8. Save it again as “CSV UTF-8”.',
    tooLong: 'The file is too long for 1,000 people.',
  },

  fault: {
    empty: 'There is no line below the names of the columns.',
    quote: 'A quotation mark opens here, and none closes it.',
    noPerson: 'Expected a column with the name “code” or “user”.',
    noDates: (names: string) => `Expected at least one of these columns: ${names}.`,
    column: (name: string, known: string) => `No column has the name “${name}”. The columns are: ${known}.`,
    columnTwice: (name: string) => `The column “${name}” is there twice.`,
    cells: (found: number, expected: number) =>
      `Expected at most ${count(expected, 'cell')}, as in the first line, and found ${formatNumber(found)}.`,
    tooMany: 'Expected at most 1,000 people. Divide the table.',
    nobody: 'The line names nobody: its code is empty.',
    stranger: (text: string) => `Nobody in this study has “${text}”.`,
    two: 'The code and the identifier are of two people.',
    again: (line: number) => `Line ${line} is about the same person.`,
    value: (column: string, text: string, values: string) =>
      `${column}: “${text}” is none of the values of the study: ${values}.`,
    date: (column: string, text: string) =>
      `${column}: “${text}” is not a date as year, month and day, such as 2027-03-08.`,
    backwards: 'The last day is before the first day.',
  },
} as const;
