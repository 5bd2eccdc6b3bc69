/** Numbers of sets in team cups, which sources state wrongly or not at all. */

/** Groups III and IV, such as `Davis Cup G3 RR: CYP vs MNE` and `Davis Cup Group IV`. */
const lowerGroup = /davis ?cup\b.*\b(?:g(?:rou?p)? ?-?(?:3|4|iii|iv))\b/iu

/** Groups III and IV, whose matches are best of three sets. */
export const isLowerDavisCupGroup = (name: string): boolean => lowerGroup.test(name)

/** `stated` is the number of the source. The women's cup is best of three, as are the lower groups of the Davis Cup. */
export const bestOfIn = (
  { level, name, tour }: { readonly tour: string; readonly level: string; readonly name: string },
  stated: number | null,
): number | null => (level === "D" && (tour === "wta" || isLowerDavisCupGroup(name)) ? 3 : stated)
