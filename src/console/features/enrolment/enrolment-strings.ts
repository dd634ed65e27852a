import { count, formatNumber } from '../../format.ts';

export const strings = {
  title: 'Codes for participants',
  about:
    'People take part without an account: they scan a code with their phone, or open its link. Each code works as often as you say.',
  back: 'Members',
  caption: 'Codes of the study',
  code: 'Code',
  label: 'For',
  used: 'Used',
  usedOf: (used: number, uses: number) => `${formatNumber(used)} of ${formatNumber(uses)}`,
  state: 'State',
  states: { open: 'Open', used: 'Used up', expired: 'Expired', ended: 'Ended' },
  expires: 'Until',
  noEnd: 'no end',
  actions: 'Actions',
  copyLink: 'Copy link',
  numbered: (n: number | undefined, label: string | undefined) => {
    if (n === undefined) return label ?? '';
    return label === undefined ? `No. ${formatNumber(n)}` : `${label}, no. ${formatNumber(n)}`;
  },
  empty: 'There are no codes yet',
  emptyAbout: 'Make one for a poster or an e-mail, or hundreds for a printed sheet, one for each person.',
  noKey: 'This service has no codes',
  noKeyAbout: 'The operator of the service has to set PARTICIPANT_SIGNING_KEY.',
  end: 'End',
  endOf: (code: string) => `End the code ${code}`,
  endTitle: (code: string) => `End the code ${code}?`,
  endAbout: 'The code admits nobody any more. People who joined by the code stay in the study.',
  ended: (code: string) => `The code ${code} has ended.`,

  make: 'Make codes',
  makeTitle: 'Make codes',
  makeSubmit: 'Make',
  howMany: 'How many codes',
  howManyHint: 'A poster needs one code, a sheet to cut one for each person. At most 500 at a time.',
  uses: 'People for each code',
  usesHint: 'How many people can take part by one code, at most 100,000.',
  labelHint:
    'The label stands beside the people who join by the code, and on the sheet. For example: Ward 3.',
  until: 'Works until',
  untilHint: 'The clock of this computer counts. An empty field means no end.',
  making: (done: number, total: number) => `Made ${formatNumber(done)} of ${count(total, 'code')}`,
  made: (n: number) => `${count(n, 'code')} made.`,

  print: 'Sheet to print',
  sheetTitle: (n: number) => `Sheet with ${count(n, 'code')}`,
  sheetAbout: 'A page of A4 has eight codes, with lines to cut along.',
  sheetBack: 'Codes',
  sheetPrint: 'Print',
  sheetLanguage: 'Language of the sheet',
  noSheet: 'None of the selected codes can be used any more',
  qr: (code: string) => `QR code of ${code}`,

  relink: 'New phone',
  relinkTitle: (name: string) => `A new phone for ${name}`,
  relinkAbout:
    'The code below works once, within 24 hours. The phone that uses the code goes on as this participant, and the old phone is signed out. Give the code to nobody else.',
  relinkMake: 'Make a code',
  relinkQuestion:
    'The code lets the participant go on with another phone. The activity log notes that the code was made, and an earlier code for a new phone stops working.',
  relinkUntil: 'Works until',
} as const;

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
