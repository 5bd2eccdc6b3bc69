/** Streams the rows of a CSV file of point strings, one row per match. The file may be gzipped. */
import { bytesOf } from "@matchpoint/game/feed/import/files"
import { UnreadableRecording } from "@matchpoint/game/feed/replay/Recording"
import { Effect, Stream } from "effect"
import { Csv } from "effect/encoding"
import type { SideIndex } from "../../rules/live/format.ts"

export interface PointRow {
  readonly tournament: string
  readonly tour: string
  readonly draw: string
  readonly sides: readonly [string, string]
  readonly winner: SideIndex
  readonly points: string
  readonly score: string
}

export const columns = ["tny_name", "tour", "draw", "server1", "server2", "winner", "pbp", "score"] as const
type Places = ReadonlyMap<(typeof columns)[number], number>

/**
 * Fails if the file cannot be read, lacks a column, or has a row that is not a match. Blank rows and other columns are
 * ignored. Rows are numbered from 1 in messages; the header is not counted.
 */
export const pointRows = (path: string): Stream.Stream<PointRow, UnreadableRecording> => {
  const unreadable = (reason: string) => new UnreadableRecording({ message: `${path}: ${reason}` })
  const header = Effect.fnUntraced(function* (fields: Csv.Row) {
    const missing = columns.filter((name) => !fields.includes(name))
    if (missing.length > 0) {
      return yield* unreadable(`the header lacks ${missing.join(", ")}; expected a file of point strings with ${columns.join(", ")}`)
    }
    return new Map(columns.map((name) => [name, fields.indexOf(name)] as const))
  })
  const row = Effect.fnUntraced(function* (fields: Csv.Row, places: Places, number: number) {
    const field = (name: (typeof columns)[number]) => fields[places.get(name) ?? -1] ?? ""
    const [winner, points] = [field("winner"), field("pbp")]
    if (winner !== "1" && winner !== "2") return yield* unreadable(`row ${number}: winner is "${winner}", not 1 or 2`)
    const unknown = /[^SRAD;./]/.exec(points)
    if (unknown !== null) return yield* unreadable(`row ${number}: pbp has the unknown letter "${unknown[0]}"`)
    return {
      tournament: field("tny_name"),
      tour: field("tour"),
      draw: field("draw"),
      sides: [field("server1"), field("server2")],
      winner: winner === "1" ? 0 : 1,
      points,
      score: field("score"),
    } satisfies PointRow
  })
  return bytesOf({ name: path, path, companions: new Map() }).pipe(
    Stream.mapError(({ reason }) => unreadable(reason)),
    Stream.pipeThroughChannel(Csv.decode()),
    Stream.catchTag("CsvError", ({ line, message }) => Stream.fail(unreadable(`line ${line}: ${message}`))),
    Stream.filter((fields) => fields.length > 1 || fields[0]?.trim() !== ""),
    Stream.mapAccumEffect(
      (): { readonly places: Places | undefined; readonly number: number } => ({ places: undefined, number: 0 }),
      Effect.fnUntraced(function* ({ number, places }, fields) {
        if (places === undefined) return [{ places: yield* header(fields), number: 0 }, noRows] as const
        return [{ places, number: number + 1 }, [yield* row(fields, places, number + 1)]] as const
      }),
    ),
  )
}

const noRows: ReadonlyArray<PointRow> = []
