/**
 * Starts a stopwatch. The result returns the milliseconds since then. They include the time during which the computer
 * slept, which the monotonic clocks of some browsers leave out. Setting the wall clock back does not shorten them.
 */
export const startStopwatch = (): (() => number) => {
  const monotonicStart = performance.now()
  // biome-ignore lint/plugin: only the wall clock runs while the computer sleeps
  const wallStart = Date.now()
  // biome-ignore lint/plugin: as above
  return () => Math.max(performance.now() - monotonicStart, Date.now() - wallStart)
}
