// Owns the clock of measurements: CLOCK_MONOTONIC, which all processes of a machine share, unlike `performance.now()`.

/** Returns microseconds since a fixed moment, with fractions. */
export const monotonicUs = (): number => {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1e6 + nanoseconds / 1e3
}
