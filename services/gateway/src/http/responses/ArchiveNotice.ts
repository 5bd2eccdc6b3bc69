/** Notice in responses from data that are still being written. Default: none. A header, because bodies have different forms. */
import { Context } from "effect"

export const NOTICE_HEADER = "x-matchpoint-notice"

/** One sentence in ASCII for the responses of a path, or undefined. */
export const ArchiveNotice = Context.Reference<(path: string) => string | undefined>(
  "@matchpoint/service-gateway/http/responses/ArchiveNotice",
  { defaultValue: () => () => undefined },
)
