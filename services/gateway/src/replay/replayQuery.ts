/** Parses the query of the replay stream, and reports which parameter is invalid. Pure. */
import { type Cursor, parseCursor } from "@matchpoint/contracts/stream/cursors"
import { Shape } from "@matchpoint/contracts/stream/frames"
import { ReplayOptions } from "@matchpoint/contracts/stream/messages"
import type { MatchId } from "@matchpoint/domain/ids"
import { Result, Schema } from "effect"

export interface ReplayQuery {
  readonly options: ReplayOptions
  readonly shape: Shape
  readonly resume: Cursor | undefined
}

export interface WrongParameter {
  readonly parameter: string
  readonly expected: string
}

const { speed, fromMap, fromRound, faults, seed } = ReplayOptions.fields

/** Plain decimal numbers only: the schema rejects the text of others, such as 0x10 or 1e3. */
const decimal = (text: string): unknown => (/^[0-9]{1,16}(\.[0-9]{1,6})?$/.test(text) ? Number(text) : text)

const listed = (text: string): unknown => (text === "" ? [] : [...new Set(text.split(",").map((name) => name.trim()))])

const parameters = {
  speed: { read: decimal, is: Schema.is(speed), expected: "a number from 0 to 1000; 0 is as fast as you can read" },
  fromMap: { read: decimal, is: Schema.is(fromMap), expected: "a map number from 1 to 9" },
  fromRound: { read: decimal, is: Schema.is(fromRound), expected: "a round number from 1 to 200" },
  faults: { read: listed, is: Schema.is(faults), expected: "a comma-separated list of drop, duplicate and stall" },
  seed: { read: decimal, is: Schema.is(seed), expected: "a natural number" },
} as const

export const replayParameters: ReadonlyArray<string> = [...Object.keys(parameters), "shape", "lastEventId", "apiKey"]

const isOptions = Schema.is(ReplayOptions)
const isShape = Schema.is(Shape)

export const parseReplayQuery = (
  matchId: MatchId,
  query: URLSearchParams,
  lastEventId: string | undefined,
): Result.Result<ReplayQuery, WrongParameter> => {
  const options: Record<string, unknown> = {}
  for (const [parameter, { read, is, expected }] of Object.entries(parameters)) {
    const text = query.get(parameter)
    if (text === null) continue
    const value = read(text)
    if (!is(value)) return Result.fail({ parameter, expected })
    options[parameter] = value
  }
  const shape = query.get("shape") ?? "v1"
  if (!isShape(shape)) return Result.fail({ parameter: "shape", expected: "v1 or v2" })
  // A browser reconnects with the header `Last-Event-ID` and its original URL. The header is more recent.
  const cursorText = lastEventId ?? query.get("lastEventId") ?? ""
  const resume = cursorText === "" ? undefined : parseCursor(cursorText)
  if (cursorText !== "" && resume?.matchId !== matchId) {
    return Result.fail({ parameter: "lastEventId", expected: `the id of an event of ${matchId}` })
  }
  if (!isOptions(options)) return Result.fail({ parameter: "faults", expected: parameters.faults.expected })
  return Result.succeed({ options, shape, resume })
}
