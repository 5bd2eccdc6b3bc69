/** Separate from the Effect schemas, so that programs that do not load Effect can import them. */

/** 2 to 16 lower-case letters and digits, starting with a letter. */
export const gameNamePattern = /^[a-z][a-z0-9]{1,15}$/u

/** Match id: `<game>-match-<n>`, n >= 1. */
export const matchIdPattern = /^[a-z][a-z0-9]{1,15}-match-[1-9][0-9]{0,15}$/u
