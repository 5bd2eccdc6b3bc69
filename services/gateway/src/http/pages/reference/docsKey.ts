import { markup } from "./markup.ts"

/** Attribute of the pages for the API key that they send unless the reader enters another one. They are made without a key. */
const NO_KEY = ' data-key=""'

/** Returns the page with the key. */
export const withKey = (page: string, key: string): string => page.replace(NO_KEY, () => markup` data-key="${key}"`.html)
