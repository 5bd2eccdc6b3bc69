/** The limits of `data`, `size`, `margin`, `sizeRatio` and `padding` are specified. */

/** Unicode code points. */
export const MAX_DATA_CHARACTERS = 2_048

/** Width and height in pixels. */
export const qrSize = { minimum: 100, maximum: 2_000, usual: 300 } as const

/** Width of the empty border in modules. */
export const qrMargin = { minimum: 0, maximum: 10, usual: 4 } as const

/** Width and height of the logo's box as a share of `size`. */
export const logoRatio = { minimum: 0.1, maximum: 0.35, usual: 0.25 } as const

/** Pixels. */
export const logoPadding = { minimum: 0, maximum: 50, usual: 8 } as const

export const MAX_LOGO_BYTES = 512 * 1_024

/** Width times height. A file that declares more is rejected before it is decoded. */
export const MAX_LOGO_PIXELS = 2_048 * 2_048

/** A logo of the maximum size in base64, and 64 KB for everything else. */
export const MAX_QR_BODY_BYTES = Math.ceil(MAX_LOGO_BYTES / 3) * 4 + 64 * 1_024
