/** Icons for round results and sides on a 24 x 24 grid, and the image of a map: a card with the map's name. */
import { box, disc, escaped, type Picture, polygon } from "./svg.ts"

const sign = (title: string, path: string, color?: string): Picture => ({
  width: 24,
  height: 24,
  title,
  path,
  ...(color === undefined ? {} : { color }),
})

const CT = "#5b9bd5"
const T = "#d9a441"

const star = (spikes: number, outer: number, inner: number): string =>
  polygon(
    ...Array.from({ length: spikes * 2 }, (_, index) => {
      const angle = (Math.PI * index) / spikes - Math.PI / 2
      const radius = index % 2 === 0 ? outer : inner
      return [12 + radius * Math.cos(angle), 12 + radius * Math.sin(angle)] as const
    }),
  )

const wins: ReadonlyMap<string, Picture> = new Map(
  Object.entries({
    bomb: sign("Bomb exploded", star(8, 11, 5.5)),
    defuse: sign(
      "Bomb defused",
      polygon([5, 2], [8, 2], [13, 12], [11, 15]) +
        polygon([19, 2], [16, 2], [11, 12], [13, 15]) +
        disc(8, 18.5, 3.5) +
        disc(8, 18.5, 1.8) +
        disc(16, 18.5, 3.5) +
        disc(16, 18.5, 1.8),
    ),
    elimination: sign(
      "Elimination",
      disc(12, 10, 8) +
        disc(8.8, 10, 2.1) +
        disc(15.2, 10, 2.1) +
        box(7.5, 18.6, 2.4, 3.4) +
        box(10.8, 18.6, 2.4, 3.4) +
        box(14.1, 18.6, 2.4, 3.4),
    ),
    time: sign("Time ran out", disc(12, 13, 9) + disc(12, 13, 7) + box(11.1, 7.5, 1.8, 6.4) + box(11.1, 12.1, 5, 1.8) + box(9.5, 1, 5, 2)),
    surrender: sign("Surrender", box(4, 2, 2.2, 20) + polygon([6.2, 3], [20, 3], [16.5, 7.5], [20, 12], [6.2, 12])),
    unknown: sign("Unknown", disc(12, 12, 4)),
  }),
)

const sides: ReadonlyMap<string, Picture> = new Map(
  Object.entries({
    ct: sign("Counter-terrorists", polygon([12, 2], [20, 5], [20, 12], [17.5, 17.5], [12, 22], [6.5, 17.5], [4, 12], [4, 5]), CT),
    t: sign("Terrorists", star(5, 11, 4.6), T),
  }),
)

export const winPicture = (kind: string): Picture | undefined => wins.get(kind)
export const sidePicture = (side: string): Picture | undefined => sides.get(side)
export const winKinds: ReadonlyArray<string> = [...wins.keys()]

/** The colour and the pattern of the background are derived from the name. */
export const mapCard = (map: string): string => {
  const hue = [...map].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7)
  const name = escaped(map.replace(/^(de|cs|ar)_/, "").replaceAll("_", " "))
  const lines = Array.from({ length: 6 }, (_, index) => {
    const x = (hue * (index + 3) * 17) % 320
    const y = (hue * (index + 5) * 11) % 180
    return `M${x} 0L${x} ${y}L320 ${y}`
  })
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 180" role="img"><title>${escaped(map)}</title>` +
    `<rect width="320" height="180" fill="hsl(${hue} 32% 24%)"/>` +
    `<path fill="none" stroke="hsl(${hue} 40% 38%)" stroke-width="3" d="${lines.join("")}"/>` +
    `<text x="160" y="104" fill="#fff" font-family="system-ui, sans-serif" font-size="34" font-weight="700" text-anchor="middle">${name}</text></svg>`
  )
}
