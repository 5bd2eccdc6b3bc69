/** Games of the live page, in its order. */
import { apexView } from "@matchpoint/apex/pages/live/apexView"
import { codView } from "@matchpoint/cod/pages/live/codView"
import { cs2View } from "@matchpoint/cs2/pages/live/cs2View"
import { type LiveSection, liveSection } from "@matchpoint/game/pages/live/LiveSection"
import { tennisView } from "@matchpoint/tennis/pages/live/tennisView"

export const createSections = (): ReadonlyArray<LiveSection> => [
  liveSection(cs2View),
  liveSection(tennisView),
  liveSection(codView),
  liveSection(apexView),
]
