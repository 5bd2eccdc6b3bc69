/** HTML as values: text is escaped, unless it is markup already. */

export interface Markup {
  readonly html: string
}

type Content = string | number | Markup | undefined | ReadonlyArray<Markup>

export const markup = (strings: TemplateStringsArray, ...contents: ReadonlyArray<Content>): Markup => ({
  html: strings.map((text, index) => text + htmlOf(contents[index])).join(""),
})

/** The Markdown of descriptions: paragraphs, lists, `code` and **bold**. */
export const markdown = (text: string): Markup => ({
  html: text
    .split("\n\n")
    .map((block) =>
      block.startsWith("- ")
        ? `<ul>${block
            .slice(2)
            .split("\n- ")
            .map((item) => `<li>${spans(item)}</li>`)
            .join("")}</ul>`
        : `<p>${spans(block)}</p>`,
    )
    .join(""),
})

/** As {@link markdown}, without paragraphs. */
export const inlineMarkdown = (text: string): Markup => ({ html: spans(text) })

const spans = (text: string): string =>
  escaped(text)
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>")
    .replaceAll(/\*\*([^*]+)\*\*/g, "<b>$1</b>")

const htmlOf = (content: Content): string => {
  if (content === undefined) return ""
  if (typeof content !== "object") return escaped(String(content))
  return "html" in content ? content.html : content.map(({ html }) => html).join("")
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
