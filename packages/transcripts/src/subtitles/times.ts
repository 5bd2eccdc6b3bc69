/** `HH:MM:SS` and three digits of milliseconds. From 100 hours on, hours have more digits. */
export const clock = (ms: number, separator: "." | ","): string => {
  const seconds = Math.floor(ms / 1_000)
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"))
  return `${parts.join(":")}${separator}${String(ms % 1_000).padStart(3, "0")}`
}
