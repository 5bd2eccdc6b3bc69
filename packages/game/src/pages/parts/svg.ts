/** Like `h` of `dom.ts`, but in the namespace of SVG. */

const SVG = "http://www.w3.org/2000/svg"

export const svg = <Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | number>> = {},
  ...children: ReadonlyArray<Node | string>
): SVGElementTagNameMap[Tag] => {
  const element = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
  element.append(...children)
  return element
}
