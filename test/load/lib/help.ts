// Owns `--help` of the benchmarks, so that it is the same for all: the usage goes to stdout, and nothing is measured.

/** Call before anything else. Ends the process if `--help` or `-h` is among the arguments. */
export const helpIfAsked = (usage: string, args: ReadonlyArray<string> = process.argv.slice(2)): void => {
  if (!args.includes("--help") && !args.includes("-h")) return
  process.stdout.write(`${usage}\n`)
  process.exit(0)
}

/** Usage line of `--json` for a benchmark that always prints JSON. */
export const alwaysJson = "  --json               accepted; the report is always JSON"
