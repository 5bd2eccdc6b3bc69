/** Formats values of every game for display on the web pages. The functions have no side effects. */

/** Formats a number of seconds as minutes and seconds: 83 becomes 1:23. */
export const clockText = (seconds: number) => {
  const whole = Math.max(0, Math.ceil(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`
}

export const decimal = (value: number | null, digits: number) => (value === null ? "–" : value.toFixed(digits))

/** Formats a fraction from 0 to 1 as a percentage. */
export const percent = (fraction: number | null) => (fraction === null ? "–" : `${Math.round(fraction * 100)}%`)

/** Formats a duration, given in milliseconds, with the largest suitable unit. */
export const ageText = (ms: number) => {
  const seconds = Math.max(0, ms) / 1000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 90) return `${Math.round(seconds)} s`
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}

/** Returns the initials of a team's name, which are shown in its badge. */
export const initials = (name: string) => {
  const words = name.split(/\s+/).filter((word) => word !== "")
  const letters = words.length > 1 ? words.map((word) => word.charAt(0)).join("") : name
  return letters.slice(0, 2).toUpperCase()
}

/** Formats a timestamp as a time of day in the visitor's time zone, for example `18:04`. */
export const clockTime = (iso: string) => new Date(iso).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })
