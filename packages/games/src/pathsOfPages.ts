import { apexPagePaths } from "@matchpoint/apex/pages/archive/apexPagePaths"
import { codPagePaths } from "@matchpoint/cod/pages/archive/codPagePaths"
import { cs2PagePaths } from "@matchpoint/cs2/pages/archive/cs2PagePaths"
import { tennisPagePaths } from "@matchpoint/tennis/pages/archive/tennisPagePaths"

export const pathsOfPages: ReadonlyArray<`/${string}`> = [apexPagePaths, codPagePaths, cs2PagePaths, tennisPagePaths].flat()
