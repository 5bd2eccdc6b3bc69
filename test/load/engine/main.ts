// Owns the benchmark of the engine: the number of feed events that one process folds, encodes and publishes, with the
// real actors of all matches under their supervisor. JSON on stdout. See flags.ts for the flags. The measured process
// is engine.ts.
import { nodeFlags } from "../../../infra/nodeFlags.mjs"
import { receive, start, stop } from "../lib/child.ts"
import { readFlags } from "./flags.ts"

const args = process.argv.slice(2)
const flags = readFlags(args)
const profile = flags.profile === undefined ? [] : ["--cpu-prof", "--cpu-prof-dir", flags.profile]
const nursery =
  flags.semiSpace === undefined ? [] : [`--max-semi-space-size=${flags.semiSpace}`, `--min-semi-space-size=${flags.semiSpace}`]
const child = start(new URL("engine.ts", import.meta.url), args, ["--expose-gc", ...nodeFlags, ...nursery, ...profile])
const report = await receive(child, 300_000)
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
await stop(child)
