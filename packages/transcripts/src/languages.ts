/**
 * Languages that a request can name: those of Whisper with a code in ISO 639-1. Whisper's codes for Hawaiian and
 * Cantonese have three letters, and its code for Javanese is obsolete, so these three are only detected.
 */
export const languages: ReadonlyArray<string> = (
  "af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha he hi hr ht hu hy id is it ja ka kk km kn ko la lb " +
  "ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur " +
  "uz vi yi yo zh"
).split(" ")

const known = new Set(languages)

/** Codes are in lower case. */
export const isLanguage = (code: string): boolean => known.has(code)
