import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * SHA-256 of each secret in the files of this repository: those of local mode, and those of the tests. Everybody knows them, so
 * a token that one of them signed proves nothing.
 */
const published = new Set([
  // .dev.vars.example and tools/settings/defaults.ts, in their order.
  '9c49ea7b1355fb2d5d54d6ffc0c9c7a4135b38b2def922167867cd6812efad36',
  '4ff96a60934849a7f7c7733f163824cc22be7da33384bbd0b5de992972ea5586',
  'df47b61394f738b3dd228a6c6e5ebd8ce25e6f65f4558e825a3294b00b56ae9d',
  '11ff7816f7307e643dbc26a9114ce84c032805910ba2d2b2ec8dd0101deb4745',
  '63c4371e8adb47db20a57ce2d82261edde58d92795f85b360ca0da92351157f0',
  // Tests.
  'dca3c211cf48d66c1cb847f81b0b8773d1dce0d64daad28d21a3fa49db5ccf38',
  'f835e71946c488e8be77e394b2833fdbd1d409755348a8aeaa848f210ded1493',
  'b97337907ce8cf57affef870ef9d4fd8448b6b2eb220c69cca176e06346de233',
  '2495f3d02a756c2d95b00858ebc01ca240e7763fff67a3d12492a84afc5564bc',
  '53f540ce52dcf54478b05ffb2a42dfbd80b95e1c30574881331f5eec1ca5a6af',
  '9ebddce5a913037bebd376ac5560291722ab4d5e7fa3fe86f67eecd4819beeff',
  'c1515f79d3019e4d865293e62a8c5569f7ddb4a5955ffffa91e75d776f9be8c6',
]);

/** Whether a value, or one of the values of a list (JSON, or with commas), is a secret that everybody knows. */
export const isPublished = (text: string): boolean =>
  [text, ...text.split(/[,"[\]]/)].some((value) =>
    published.has(bytesToHex(sha256(utf8ToBytes(value.trim())))),
  );

/** Whether a host, of an address to listen on or of a URL, is this machine alone. */
export const isLoopback = (host: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
