/** Output of `npm run transcripts -- check`. */
import type { Availability } from "./Transcriber.ts"

export const checkReport = ({ components, isAvailable }: Availability): string => {
  const width = Math.max(...components.map(({ name }) => name.length))
  const lines = components.map(({ name, problem, version }) =>
    problem === null ? `ok       ${name.padEnd(width)}  ${version ?? ""}` : `MISSING  ${name.padEnd(width)}  ${problem}`,
  )
  const summary = isAvailable
    ? "Transcripts are available."
    : "Transcripts are not available: requests get 503 TRANSCRIPTION_UNAVAILABLE. docs/operators/transcripts-setup.md explains the installation."
  return [...lines, "", summary].join("\n")
}
