import { count, formatNumber } from '../../format.ts';

export const strings = {
  title: 'Codes for participants',
  about:
    'With a code, people take part without an account: they scan the code with their phone, or open its link. You decide how many people can use each code.',
  back: 'Participants',
  caption: 'Codes of the study',
  code: 'Code',
  label: 'Label',
  used: 'Used',
  usedOf: (used: number, uses: number) => `${formatNumber(used)} of ${formatNumber(uses)}`,
  byHour: 'Last 48 hours',
  noUses: 'none',
  /** The uses of the last 48 hours, and the hour with the most. */
  usedRecently: (n: number) => `${formatNumber(n)} used`,
  mostAt: (n: number) => `at most ${formatNumber(n)} in an hour:`,
  state: 'State',
  states: { open: 'Open', used: 'Used up', expired: 'Expired', ended: 'Ended' },
  expires: 'Works until',
  noEnd: 'no end',
  actions: 'Actions',
  copyLink: 'Copy link',
  numbered: (n: number | undefined, label: string | undefined) => {
    if (n === undefined) return label ?? '';
    return label === undefined ? `No. ${formatNumber(n)}` : `${label}, no. ${formatNumber(n)}`;
  },
  empty: 'There are no codes yet',
  emptyAbout: 'Make one code for a poster or an e-mail, or hundreds of codes to print, one for each person.',
  noKey: 'This service has no codes for participants',
  noKeyAbout: 'The operator of the service has to set PARTICIPANT_SIGNING_KEY.',
  end: 'End',
  endOf: (code: string) => `End the code ${code}`,
  endTitle: (code: string) => `End the code ${code}?`,
  endAbout: 'Nobody can join with the code any more. People who have joined with the code stay in the study.',
  ended: (code: string) => `The code ${code} has ended.`,

  make: 'Make codes',
  makeTitle: 'Make codes',
  makeSubmit: 'Make',
  howMany: 'How many codes',
  howManyHint:
    'A poster needs one code. A sheet to cut up needs one code for each person. You can make at most 500 codes at a time.',
  uses: 'People per code',
  usesHint: 'How many people can join with one code, at most 100,000.',
  labelHint:
    'The label is shown beside people who join with the code, and on the printed sheet. For example: Ward 3.',
  until: 'Works until',
  untilHint: 'The time is by the clock of this computer. An empty field means that the code has no end.',
  making: (done: number, total: number) => `Made ${formatNumber(done)} of ${count(total, 'code')}`,
  propertiesHint:
    'Everybody who joins by these codes gets these. The printed sheet does not show them, but the label: do not name a blinded arm there.',
  made: (n: number) => `${count(n, 'code')} made.`,

  print: 'Sheet to print',
  sheetTitle: (n: number) => `Sheet with ${count(n, 'code')}`,
  sheetAbout: 'An A4 page has eight codes, with lines to cut along.',
  sheetBack: 'Codes',
  sheetPrint: 'Print',
  sheetLanguage: 'Language of the sheet',
  as: 'Print as',
  asSheet: 'A card to cut out',
  asPoster: 'A poster',
  posterOf: (code: string) => `Poster of ${code}`,
  posterAbout: 'The QR code takes half of an A4 page. Hang the poster where people have a minute.',
  information: 'Information for participants',
  noSheet: 'None of the selected codes can be used any more',
  qr: (code: string) => `QR code of ${code}`,

  relink: 'New phone',
  relinkTitle: (name: string) => `A new phone for ${name}`,
  relinkAbout:
    'The code below works once, within 24 hours. The phone that uses the code continues as this participant, and the old phone is signed out. Give the code only to this participant.',
  relinkMake: 'Make a code',
  relinkQuestion:
    'With the code, the participant can continue on another phone. An earlier code for a new phone stops working. The activity log records that you made the code.',
  relinkUntil: 'Works until',
} as const;

export type SheetLanguage = keyof typeof sheetTexts;

/** The two sentences on the sheet, in the languages of the participant's page. */
export const sheetTexts = {
  en: {
    name: 'English',
    scan: 'Scan this code with the camera of your phone to take part.',
    type: (page: string) => `Or open ${page} and type the code.`,
  },
  de: {
    name: 'Deutsch',
    scan: 'Scannen Sie diesen Code mit der Kamera Ihres Telefons, um teilzunehmen.',
    type: (page: string) => `Oder öffnen Sie ${page} und geben Sie den Code ein.`,
  },
  fr: {
    name: 'Français',
    scan: 'Scannez ce code avec l’appareil photo de votre téléphone pour participer.',
    type: (page: string) => `Ou ouvrez ${page} et saisissez le code.`,
  },
  es: {
    name: 'Español',
    scan: 'Escanee este código con la cámara de su teléfono para participar.',
    type: (page: string) => `O abra ${page} y escriba el código.`,
  },
} as const;
