import type { Cue } from "./cues.ts"
import { clock } from "./times.ts"

export const vttOf = (cues: ReadonlyArray<Cue>): string =>
  [
    "WEBVTT\n",
    ...cues.map(({ endMs, lines, startMs }) => `${clock(startMs, ".")} --> ${clock(endMs, ".")}\n${escaped(lines.join("\n"))}\n`),
  ].join("\n")

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
