/** SubRip has no escapes, so an arrow that would end the text is replaced. */
import type { Cue } from "./cues.ts"
import { clock } from "./times.ts"

export const srtOf = (cues: ReadonlyArray<Cue>): string =>
  cues
    .map(({ endMs, lines, startMs }, index) => {
      const text = lines.map((line) => line.replaceAll("-->", "→")).join("\n")
      return `${index + 1}\n${clock(startMs, ",")} --> ${clock(endMs, ",")}\n${text}\n`
    })
    .join("\n")
