/** SVG icons: one path in a colour that is legible on light and dark backgrounds, and a `<title>` for screen readers. */

export const INK = "#8a93a3"

export interface Picture {
  readonly width: number
  readonly height: number
  /** Outline of the icon as SVG path data. */
  readonly path: string
  readonly title: string
  readonly color?: string
}

export const svg = ({ width, height, path, title, color = INK }: Picture): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img"><title>${escaped(title)}</title>` +
  `<path fill="${color}" fill-rule="evenodd" d="${path}"/></svg>`

export const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const n = (value: number): string => String(Math.round(value * 100) / 100)

/** SVG path data of the basic shapes of which icons are composed. */
export const box = (x: number, y: number, width: number, height: number): string =>
  `M${n(x)} ${n(y)}h${n(width)}v${n(height)}h${n(-width)}Z`

export const polygon = (...points: ReadonlyArray<readonly [number, number]>): string =>
  `${points.map(([x, y], index) => `${index === 0 ? "M" : "L"}${n(x)} ${n(y)}`).join("")}Z`

export const disc = (x: number, y: number, radius: number): string =>
  `M${n(x - radius)} ${n(y)}a${n(radius)} ${n(radius)} 0 1 0 ${n(2 * radius)} 0a${n(radius)} ${n(radius)} 0 1 0 ${n(-2 * radius)} 0Z`
