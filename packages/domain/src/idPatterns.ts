/** The forms of the ids that every game shares, without schemas: for programs that do not load Effect. */

/** A game's name: 2 to 16 lower-case letters and digits, a letter first. */
export const gameNamePattern = /^[a-z][a-z0-9]{1,15}$/u

/** `<game>-match-<n>`, n >= 1. */
export const matchIdPattern = /^[a-z][a-z0-9]{1,15}-match-[1-9][0-9]{0,15}$/u
