/** Single paths on a 16 x 16 grid in the text colour. Hidden from screen readers: words beside them say the same. */

const SVG = "http://www.w3.org/2000/svg"

const paths = {
  elimination:
    "M8 1C4.4 1 2 3.5 2 6.8c0 2 .9 3.4 2.2 4.3V13a1 1 0 0 0 1 1h.9v-1.7h1.2V14h1.4v-1.7h1.2V14h.9a1 1 0 0 0 1-1v-1.9C13.1 10.2 14 8.8 14 6.8 14 3.5 11.6 1 8 1ZM5.6 9a1.6 1.6 0 1 1 0-3.2 1.6 1.6 0 0 1 0 3.2Zm4.8 0a1.6 1.6 0 1 1 0-3.2 1.6 1.6 0 0 1 0 3.2Z",
  explosion: "M8 .6l1.7 3.9 3.9-1.8-1.8 3.9L15.6 8l-3.8 1.5 1.8 3.9-3.9-1.8L8 15.4l-1.7-3.8-3.9 1.8 1.8-3.9L.4 8l3.8-1.4-1.8-3.9 3.9 1.8Z",
  defuse: "M4.7 1 7 6.4l-.7 2-2.8 5.2a1.1 1.1 0 1 0 2 1L8 9.8l2.5 4.8a1.1 1.1 0 1 0 2-1L9.7 8.4l-.7-2L11.3 1 9.8.6 8 4.8 6.2.6Z",
  time: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm0 1.7a5.3 5.3 0 1 1 0 10.6A5.3 5.3 0 0 1 8 2.7ZM7.2 4.4v4.2l3.1 1.8.8-1.4-2.3-1.3V4.4Z",
  surrender: "M3 1h1.6v1H13l-2 3.2 2 3.3H4.6V15H3Z",
  unknown: "M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6Z",
  headshot:
    "M7.2.8h1.6v2.3a5 5 0 0 1 4.1 4.1h2.3v1.6h-2.3a5 5 0 0 1-4.1 4.1v2.3H7.2v-2.3a5 5 0 0 1-4.1-4.1H.8V7.2h2.3a5 5 0 0 1 4.1-4.1ZM8 4.7a3.3 3.3 0 1 0 0 6.6 3.3 3.3 0 0 0 0-6.6Zm0 1.9a1.4 1.4 0 1 1 0 2.8 1.4 1.4 0 0 1 0-2.8Z",
  smoke: "M4.5 13A3.5 3.5 0 0 1 4 6.1a4.2 4.2 0 0 1 8 .5 3.2 3.2 0 0 1-.2 6.4Z",
  wallbang: "M6 1h4v4H6ZM6 6h4v4H6ZM6 11h4v4H6ZM0 7.2h4.6v1.6H0ZM11.4 7.2H13V5l3 3-3 3V8.8h-1.6Z",
  kevlar: "M8 1 2.5 3v4.6c0 3.3 2.3 6 5.5 7.4 3.2-1.4 5.5-4.1 5.5-7.4V3Z",
  helmet: "M8 2C4.4 2 2 4.7 2 8v4.2A1.3 1.3 0 0 0 3.3 13.5H7V9h5.2l1.8.8V8c0-3.3-2.4-6-6-6Z",
  bomb: "M5 3.5h6V6h1.5A1.5 1.5 0 0 1 14 7.5v5a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 2 12.5v-5A1.5 1.5 0 0 1 3.5 6H5Zm1.5 1.4V6h3V4.9ZM4 8v2.2h5V8Zm6.5.2v1.7H12V8.2Z",
  flash: "M9.5 1 3 9h4l-1 6 7-8.5H8.8Z",
  back: "M9.8 2.5 4.3 8l5.5 5.5 1.2-1.2L6.7 8 11 3.7Z",
  trophy:
    "M4 1h8v1.5h2.5V5A3 3 0 0 1 11.7 8 4 4 0 0 1 8.8 9.9v2.3H11V14H5v-1.8h2.2V9.9A4 4 0 0 1 4.3 8 3 3 0 0 1 1.5 5V2.5H4Zm0 3H3v1a1.5 1.5 0 0 0 1 1.4Zm8 0v2.4A1.5 1.5 0 0 0 13 5V4Z",
}

export type IconName = keyof typeof paths

export const icon = (name: IconName): SVGSVGElement => {
  const svg = document.createElementNS(SVG, "svg")
  for (const [attribute, value] of [
    ["viewBox", "0 0 16 16"],
    ["class", `icon icon-${name}`],
    ["aria-hidden", "true"],
  ]) {
    svg.setAttribute(attribute ?? "", value ?? "")
  }
  const path = document.createElementNS(SVG, "path")
  path.setAttribute("d", paths[name])
  path.setAttribute("fill-rule", "evenodd")
  svg.append(path)
  return svg
}

/** The meaning is a tooltip, and hidden text for screen readers. */
export const labelledIcon = (name: IconName, meaning: string): HTMLElement => {
  const wrapper = document.createElement("span")
  wrapper.className = "glyph"
  wrapper.title = meaning
  const words = document.createElement("span")
  words.className = "unseen"
  words.textContent = ` ${meaning} `
  wrapper.append(icon(name), words)
  return wrapper
}
