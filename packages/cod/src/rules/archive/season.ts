/** The league names a season after the year in which it ends. */

/** 1 to 12. The championship ends in summer, and the next season begins in autumn. */
const FIRST_MONTH = 9

/** Season of a day: 2023 for `2022-12-02`. */
export const seasonOf = (day: string): number => {
  const year = Number(day.slice(0, 4))
  return Number(day.slice(5, 7)) >= FIRST_MONTH ? year + 1 : year
}
