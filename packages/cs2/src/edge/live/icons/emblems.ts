/**
 * Images for teams, players and tournaments without a picture. The same name always produces the same image. Each image
 * has a title for screen readers.
 */
import { escaped, polygon } from "./svg.ts"

type Draw = (name: string) => string

/** For light backgrounds. */
export const teamLogo: Draw = (name) => emblem(name, { plate: `hsl(${hueOf(name)} 58% 34%)`, ink: "#fff", letters: true })
/** For dark backgrounds. */
export const teamLogoDark: Draw = (name) => emblem(name, { plate: `hsl(${hueOf(name)} 62% 76%)`, ink: "#14171c", letters: true })
export const teamLogoAlternate: Draw = (name) => emblem(name, { plate: `hsl(${hueOf(name)} 45% 50%)`, ink: "#fff", letters: false })

export const playerPortrait: Draw = (name) => {
  const hue = hueOf(name)
  const tilt = (hue % 7) - 3
  return picture(
    160,
    160,
    titleOf(name),
    `<rect width="160" height="160" fill="hsl(${hue} 28% 86%)"/>` +
      `<g fill="hsl(${hue} 38% 30%)" transform="rotate(${tilt} 80 80)"><circle cx="80" cy="62" r="30"/>` +
      `<path d="M22 160c0-38 26-58 58-58s58 20 58 58z"/></g>`,
  )
}

export const eventLogo: Draw = (name) => {
  const hue = hueOf(name)
  return picture(
    128,
    128,
    titleOf(name),
    `<circle cx="64" cy="64" r="60" fill="hsl(${hue} 50% 30%)"/>` +
      `<path fill="hsl(${(hue + 40) % 360} 80% 70%)" d="M40 30h48v14c0 18-8 32-20 36v12h14v8H46v-8h14V80C48 76 40 62 40 44z"/>`,
  )
}

export const eventBanner: Draw = (name) => {
  const hue = hueOf(name)
  const bands = Array.from({ length: 5 }, (_, index) => `M${((hue * (index + 2) * 13) % 900) - 60} 0h70l-90 240h-70z`)
  return picture(
    960,
    240,
    titleOf(name),
    `<rect width="960" height="240" fill="hsl(${hue} 45% 20%)"/><path fill="hsl(${hue} 50% 28%)" d="${bands.join("")}"/>` +
      `<text x="480" y="136" ${TEXT} font-size="48" fill="#fff">${escaped(titleOf(name))}</text>`,
  )
}

const TEXT = 'font-family="system-ui, sans-serif" font-weight="700" text-anchor="middle"'

const shapes = [
  polygon([64, 6], [116, 28], [108, 86], [64, 122], [20, 86], [12, 28]),
  polygon([64, 4], [116, 34], [116, 94], [64, 124], [12, 94], [12, 34]),
  polygon([64, 4], [124, 64], [64, 124], [4, 64]),
  polygon([14, 14], [114, 14], [114, 78], [64, 120], [14, 78]),
]

const emblem = (name: string, { ink, letters, plate }: { ink: string; letters: boolean; plate: string }): string => {
  const shape = shapes[hueOf(`${name}.`) % shapes.length]
  const mark = letters
    ? `<text x="64" y="78" ${TEXT} font-size="40" fill="${ink}">${escaped(initialsOf(name))}</text>`
    : `<circle cx="64" cy="62" r="22" fill="none" stroke="${ink}" stroke-width="8"/>`
  return picture(128, 128, titleOf(name), `<path fill="${plate}" d="${shape}"/>${mark}`)
}

const picture = (width: number, height: number, title: string, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img"><title>${escaped(title)}</title>${content}</svg>`

const hueOf = (name: string): number => [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7)

const wordsOf = (name: string): ReadonlyArray<string> => name.split("_").filter((word) => word !== "")

const titleOf = (name: string): string =>
  wordsOf(name)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ")

const initialsOf = (name: string): string => {
  const [first = "?", second] = wordsOf(name)
  return (second === undefined ? first.slice(0, 2) : first.charAt(0) + second.charAt(0)).toUpperCase()
}
