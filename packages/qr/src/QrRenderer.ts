/** Port that draws QR codes and reads each of them back. It does not own HTTP, defaults of parameters or billing. */
import { Context, type Effect, Schema } from "effect"
import type { Drawing, QrImage } from "./QrImage.ts"

/** The image was not drawn because of the load. A retry may succeed. `reason` is a sentence for the caller. */
export class QrOverloaded extends Schema.TaggedError<QrOverloaded>("@matchpoint/qr/QrOverloaded")("QrOverloaded", {
  reason: Schema.String,
}) {}

export class QrRenderer extends Context.Service<
  QrRenderer,
  {
    /** Never blocks the calling thread. A drawing that cannot be read back is no error but a `Refused`. */
    readonly draw: (image: QrImage) => Effect.Effect<Drawing, QrOverloaded>
  }
>()("@matchpoint/qr/QrRenderer") {}
