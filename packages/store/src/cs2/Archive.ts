/** Every repository of the CS2 archive, in one layer. A new one is one line here. */
import { Layer } from "effect"
import { MatchArchive } from "./MatchArchive.ts"
import { OddsBook } from "./OddsBook.ts"
import { SkinMarket } from "./SkinMarket.ts"

export class Archive {
  static readonly layer = Layer.mergeAll(MatchArchive.layer, OddsBook.layer, SkinMarket.layer)
}
