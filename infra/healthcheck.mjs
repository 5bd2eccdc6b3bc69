/**
 * Asks the process in this container whether it is alive. Ends with 0 if `/health/live` on the admin port, or on the main
 * port if there is no admin port, answers 200 within 3 seconds, else with 1.
 */
const { MATCHPOINT_ADMIN_PORT, PORT } = process.env
const url = `http://127.0.0.1:${MATCHPOINT_ADMIN_PORT || PORT || 8080}/health/live`

try {
  const { ok, status } = await fetch(url, { signal: AbortSignal.timeout(3_000) })
  if (!ok) process.stderr.write(`${url} answers ${status}\n`)
  process.exitCode = ok ? 0 : 1
} catch (error) {
  process.stderr.write(`${url} does not answer: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
