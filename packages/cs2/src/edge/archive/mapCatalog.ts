/** Builds the map catalog and the map pool of a given day. The data about the maps is in `rules/archive/maps`. */
import { mapImagePath } from "../../contract/http/assetPaths.ts"
import type { MapPool, MapRow, PoolEntry } from "../../contract/http/data/referenceModels.ts"
import { type CatalogMap, cs2Maps, isActiveDuty } from "../../rules/archive/maps.ts"

const rowOf = ({ id, slug, name }: CatalogMap): MapRow => ({
  id,
  slug,
  name,
  mapNameCanonical: id,
  imageUrl: mapImagePath(id),
  mapImageUrl: mapImagePath(id),
  coverImageUrl: mapImagePath(id),
})

export const mapRows: ReadonlyArray<MapRow> = cs2Maps.map(rowOf)

/** How a map appears in the pool of the day: in it or removed. Undefined if it had never been in it by that day. */
const entryOf = (map: CatalogMap, day: string): PoolEntry | undefined => {
  const stay = map.activeDuty.findLast(({ inPoolSince }) => inPoolSince <= day)
  if (stay === undefined) return undefined
  const inPool = isActiveDuty(map, day)
  return {
    ...rowOf(map),
    status: inPool ? "in_pool" : "removed",
    inPoolSince: stay.inPoolSince,
    removedAt: inPool ? null : stay.removedAt,
    inPool,
  }
}

/** All maps that were in the pool on or before the day (`YYYY-MM-DD`), including those that had left it by then. */
export const poolOf = (day: string): MapPool => {
  const entries = cs2Maps.flatMap((map) => entryOf(map, day) ?? [])
  const inPool = entries.filter((entry) => entry.inPool)
  return {
    entityType: "cs2_active_duty_map_pool",
    asOf: day,
    poolName: "Active Duty",
    inPoolCount: inPool.length,
    maps: entries.map((entry) => ({ ...entry, pickTeamId: null, objectiveStats: null })),
    inPool,
    removed: entries.filter((entry) => !entry.inPool),
  }
}
