/**
 * Selects the format (shape) of a live response, v1 or v2. The query parameter `shape` takes precedence over the
 * `Accept` header; the default is v1. `liveModels.ts` and `liveModelsV2.ts` define the formats.
 */
import { Shape } from "@matchpoint/contracts/stream/frames"
import { Result, Schema } from "effect"

export const V2_CONTENT_TYPE = "application/vnd.svc.cs2.v2+json"

/** Every read endpoint of the live section accepts it. */
export const shapeQuery = {
  shape: Schema.optionalKey(
    Shape.annotate({
      description: `\`v1\` (default) or \`v2\`. The header \`Accept: ${V2_CONTENT_TYPE}\` also selects v2; this parameter takes precedence`,
    }),
  ),
} as const

const OURS = /^application\/vnd\.svc\.cs2\..*\+json$/

interface Range {
  readonly type: string
  readonly quality: number
}

/** Fails with a message if the header accepts only an unknown version of the API's own media type. */
export const shapeOfAccept = (accept: string | undefined): Result.Result<Shape, string> => {
  if (accept === undefined || !accept.includes("vnd.svc.cs2")) return Result.succeed("v1")
  const ranges = accept.split(",").map(rangeOf)
  const qualityOf = (type: string) => Math.max(0, ...ranges.filter((range) => range.type === type).map((range) => range.quality))
  const v2 = qualityOf(V2_CONTENT_TYPE)
  const json = qualityOf("application/json")
  if (v2 > 0 && v2 >= json) return Result.succeed("v2")
  const takesV1 = json > 0 || qualityOf("application/*") > 0 || qualityOf("*/*") > 0
  const unknown = ranges.find((range) => OURS.test(range.type) && range.type !== V2_CONTENT_TYPE)
  if (takesV1 || unknown === undefined) return Result.succeed("v1")
  return Result.fail(`unknown media type ${unknown.type.slice(0, 80)}; accept application/json (shape v1) or ${V2_CONTENT_TYPE} (shape v2)`)
}

const rangeOf = (text: string): Range => {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase())
  const quality = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1)
  return { type, quality: Number.isNaN(quality) ? 0 : quality }
}
