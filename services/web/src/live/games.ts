/** The games of the live page, in the order in which it lists them. One line per game. */
import { apexView } from "../apex/live/apexView.ts"
import { codView } from "../cod/live/codView.ts"
import { cs2View } from "../cs2/live/cs2View.ts"
import { tennisView } from "../tennis/live/tennisView.ts"
import { type LiveSection, liveSection } from "./LiveSection.ts"

export const createSections = (): ReadonlyArray<LiveSection> => [
  liveSection(cs2View),
  liveSection(tennisView),
  liveSection(codView),
  liveSection(apexView),
]
