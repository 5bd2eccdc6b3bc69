/** Writes a QR code as SVG: a background and one path, in units of modules. */
import { hexOf } from "../colors.ts"
import type { Rgb } from "../QrImage.ts"
import type { Matrix } from "./matrix.ts"

export const svgOf = ({ count, modules }: Matrix, size: number, margin: number, foreground: Rgb, background: Rgb): string => {
  const total = count + 2 * margin
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${total} ${total}" shape-rendering="crispEdges">`,
    `<path fill="${hexOf(background)}" d="M0 0h${total}v${total}H0z"/>`,
    `<path fill="${hexOf(foreground)}" d="${runs(modules, count, margin)}"/>`,
    "</svg>",
  ].join("")
}

/** Returns one rectangle per horizontal run of dark modules. */
const runs = (modules: Uint8Array, count: number, margin: number): string => {
  let path = ""
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) {
      const start = column
      while (column < count && modules[row * count + column] === 1) column++
      if (column > start) path += `M${margin + start} ${margin + row}h${column - start}v1h${start - column}z`
    }
  }
  return path
}
