/**
 * Marks endpoints that are part of the contract but have no data yet. They answer with status 501 at no charge. The
 * OpenAPI document marks them with `x-status: announced` and `x-announced`, the date of the announcement.
 */
import { Context } from "effect"

export interface Announcement {
  /** Date of the announcement, ISO 8601: `2026-11-25`. */
  readonly on: string
  /** First segment of the paths of the section: `valorant`. */
  readonly game: string
  /** A response of the section as it is planned, and the path of the endpoint that will return it. */
  readonly example: { readonly path: string; readonly body: unknown }
}

export class Announced extends Context.Service<Announced, Announcement>()("@matchpoint/contracts/http/announced/Announced") {}

/** Date on which the sections of this version were announced. */
export const ANNOUNCED_ON = "2026-11-25"

/** Returns the description of an announced endpoint, as Markdown. `planned` describes the response that the endpoint will return. */
export const announcedText = (planned: string): string =>
  `**Announced on ${ANNOUNCED_ON}, not available yet**: every request is answered with status 501 and costs nothing. ${planned}`
