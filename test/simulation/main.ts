/** `npm run simulate`: plays seeds and prints a summary as JSON; what is wrong goes to stderr as it is found. */
import { simulateSeed } from "./simulateSeed.ts"

const seed = Number(process.argv[2] ?? 1)
const to = Number(process.argv[3] ?? seed)
for (let one = seed; one <= to; one++) {
  const since = performance.now()
  const { findings, ...rest } = simulateSeed(one, process.argv[4] === undefined ? undefined : (text) => process.stderr.write(`${text}\n`))
  process.stdout.write(`${JSON.stringify({ ...rest, ms: Math.round(performance.now() - since) })}\n`)
  for (const { at, what, who } of findings.slice(0, 4)) process.stdout.write(`  ${at} ${who}: ${what}\n`)
}
