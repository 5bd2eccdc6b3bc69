/** Colors of a QR code, and which pairs of them a reader can tell apart. */
import type { Rgb } from "./QrImage.ts"

/** Least contrast of graphics according to WCAG 2.2, criterion 1.4.11. */
export const MIN_CONTRAST = 3

/** `#rgb` or `#rrggbb`. */
export const rgbOf = (color: string): Rgb => {
  const digits = color.slice(1)
  const long = digits.length === 3 ? digits.replace(/./g, "$&$&") : digits
  const value = Number.parseInt(long, 16)
  return [value >> 16, (value >> 8) & 0xff, value & 0xff]
}

export const hexOf = (rgb: Rgb): string => `#${rgb.map((part) => part.toString(16).padStart(2, "0")).join("")}`

/** Relative luminance according to WCAG 2.2, 0 (black) to 1 (white). */
const luminanceOf = (rgb: Rgb): number => {
  const [red, green, blue] = rgb.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Undefined if readers can tell the two colors apart. */
export const colorAdvice = (foreground: Rgb, background: Rgb): string | undefined => {
  const contrast = (luminanceOf(background) + 0.05) / (luminanceOf(foreground) + 0.05)
  if (contrast >= MIN_CONTRAST) return undefined
  const pair = `the foreground ${hexOf(foreground)} on the background ${hexOf(background)}`
  // Swapping helps only if the colors are far enough apart.
  return contrast <= 1 / MIN_CONTRAST
    ? `${pair} is inverted, and many readers expect dark modules on a light background; swap the two colors`
    : `${pair} has a contrast of ${Math.max(contrast, 1 / contrast).toFixed(1)}; use a darker foreground or a lighter background, with a contrast of at least ${MIN_CONTRAST}`
}
