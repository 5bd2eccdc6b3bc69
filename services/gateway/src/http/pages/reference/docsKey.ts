import { markup } from "./markup.ts"

/** Attribute for the API key that the pages send unless the reader enters another one. They are made without a key. */
const NO_KEY = ' data-key=""'

export const withKey = (page: string, key: string): string => page.replace(NO_KEY, () => markup` data-key="${key}"`.html)
