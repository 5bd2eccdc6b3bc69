// Owns `--help` of the benchmarks, so that it works alike for each: the usage on stdout, and nothing is measured.

/** To be called before anything else. Ends the process if `--help` or `-h` is among the arguments. */
export const helpIfAsked = (usage: string, args: ReadonlyArray<string> = process.argv.slice(2)): void => {
  if (!args.includes("--help") && !args.includes("-h")) return
  process.stdout.write(`${usage}\n`)
  process.exit(0)
}

/** The line of `--json` in the usage of a benchmark that prints nothing else. */
export const alwaysJson = "  --json               the report is JSON with or without it"
