/** Maps, legends and weapons of simulated lobbies. */
import type { Random } from "@matchpoint/simulator/random"

export const maps = ["World's Edge", "Storm Point", "E-District", "Broken Moon"] as const

export const weapons = [
  "R-301 Carbine",
  "VK-47 Flatline",
  "Nemesis Burst AR",
  "R-99 SMG",
  "Volt SMG",
  "Peacekeeper",
  "Mastiff Shotgun",
  "Wingman",
  "30-30 Repeater",
  "Longbow DMR",
  "Frag Grenade",
  "Arc Star",
] as const

/** The most popular ones first. */
const legends = [
  "Bangalore",
  "Newcastle",
  "Catalyst",
  "Caustic",
  "Crypto",
  "Valkyrie",
  "Wattson",
  "Alter",
  "Gibraltar",
  "Bloodhound",
  "Ballistic",
  "Pathfinder",
  "Sparrow",
  "Ash",
] as const

/** One legend per completed game of the series. */
export const bannedLegends = (random: Random, completedGames: number): ReadonlyArray<string> =>
  random.shuffle(legends.slice(0, 8)).slice(0, Math.min(completedGames, 4))

/** Legends of a team, none of them twice. Popular ones are picked more often. */
export const pickLegends = (random: Random, banned: ReadonlyArray<string>, count: number): ReadonlyArray<string> => {
  const left = legends.filter((legend) => !banned.includes(legend))
  return Array.from({ length: count }, () => {
    const index = Math.min(left.length - 1, Math.floor(random.wait(3)))
    return left.splice(index, 1)[0] ?? legends[0]
  })
}
