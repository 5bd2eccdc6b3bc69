/** Formats 83 seconds as 1:23. */
export const clockText = (seconds: number) => {
  const whole = Math.max(0, Math.ceil(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`
}

export const decimal = (value: number | null, digits: number) => (value === null ? "–" : value.toFixed(digits))

/** `fraction` is from 0 to 1. */
export const percent = (fraction: number | null) => (fraction === null ? "–" : `${Math.round(fraction * 100)}%`)

/** Age with the largest suitable unit. */
export const ageText = (ms: number) => {
  const seconds = Math.max(0, ms) / 1000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 90) return `${Math.round(seconds)} s`
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}

/** Initials for a team's badge. */
export const initials = (name: string) => {
  const words = name.split(/\s+/).filter((word) => word !== "")
  const letters = words.length > 1 ? words.map((word) => word.charAt(0)).join("") : name
  return letters.slice(0, 2).toUpperCase()
}

/** Time of day in the visitor's time zone, for example `18:04`. */
export const clockTime = (iso: string) => new Date(iso).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })
