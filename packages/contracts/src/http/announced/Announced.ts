/**
 * Endpoints that are part of the contract but have no data yet. They answer with status 501 at no charge. The OpenAPI
 * document marks them with `x-status: announced` and `x-announced`, the date of the announcement.
 */
import { Context } from "effect"

export interface Announcement {
  /** ISO 8601: `2026-11-25`. */
  readonly on: string
  /** First segment of the paths: `valorant`. */
  readonly game: string
  /** A planned response, and the path of its endpoint. */
  readonly example: { readonly path: string; readonly body: unknown }
}

export class Announced extends Context.Service<Announced, Announcement>()("@matchpoint/contracts/http/announced/Announced") {}

export const ANNOUNCED_ON = "2026-11-25"

/** Markdown. `planned` describes the response that the endpoint will return. */
export const announcedText = (planned: string): string =>
  `**Announced on ${ANNOUNCED_ON}, not available yet**: every request is answered with status 501 and costs nothing. ${planned}`
