/**
 * Notice in responses from data that are still being written. Default: none. It is a header, because the bodies of
 * responses have different forms.
 */
import { Context } from "effect"

export const NOTICE_HEADER = "x-matchpoint-notice"

/** Returns one sentence for the responses of a path, in ASCII, or undefined. */
export const ArchiveNotice = Context.Reference<(path: string) => string | undefined>(
  "@matchpoint/service-gateway/http/responses/ArchiveNotice",
  { defaultValue: () => () => undefined },
)
