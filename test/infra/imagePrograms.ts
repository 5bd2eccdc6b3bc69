/** Programs as images have them, and as they are here. */
import { basename, dirname, join } from "node:path"
import { bundled } from "../../infra/bundle.mjs"

const folder = dirname(await bundled("services/gateway/src/main.ts"))

/** Path in an image of the entry point of a service, for example `match`. */
export const imageProgram = async (service: string): Promise<string> =>
  `bundle/${basename(await bundled(`services/${service}/src/main.ts`))}`

/** Path here of a program of an image. */
export const programHere = (path: string): string => join(folder, basename(path))
