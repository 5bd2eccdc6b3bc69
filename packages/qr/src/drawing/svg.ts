/** A QR code as SVG: a background and one path. */
import { hexOf } from "../colors.ts"
import type { Rgb } from "../QrImage.ts"
import { evenLayout } from "./layout.ts"
import type { Matrix } from "./matrix.ts"

/** Whole numbers in the coordinates of the drawing. */
interface Grid {
  /** Width and height. */
  readonly whole: number
  /** Left and upper edge of the first module. */
  readonly start: number
  readonly step: number
}

/** A grid in modules, with exactly the requested margin. */
export const exactGrid = (_size: number, count: number, margin: number): Grid => ({ whole: count + 2 * margin, start: margin, step: 1 })

/** A grid in pixels, with equal modules of a whole number of them. */
export const evenGrid = (size: number, count: number, margin: number): Grid => {
  const [start = 0, second = 0] = evenLayout(size, count, margin).edges
  return { whole: size, start, step: second - start }
}

export const svgOf = (matrix: Matrix, size: number, grid: Grid, foreground: Rgb, background: Rgb): string => {
  const { whole } = grid
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${whole} ${whole}" shape-rendering="crispEdges">`,
    `<path fill="${hexOf(background)}" d="M0 0h${whole}v${whole}H0z"/>`,
    `<path fill="${hexOf(foreground)}" d="${runs(matrix, grid)}"/>`,
    "</svg>",
  ].join("")
}

/** Draws one rectangle per horizontal run of dark modules. */
const runs = ({ count, modules }: Matrix, { start: edge, step }: Grid): string => {
  let path = ""
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) {
      const start = column
      while (column < count && modules[row * count + column] === 1) column++
      const width = step * (column - start)
      if (width > 0) path += `M${edge + step * start} ${edge + step * row}h${width}v${step}h${-width}z`
    }
  }
  return path
}
