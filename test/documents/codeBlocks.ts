/** Reads the fenced code blocks of Markdown and the commands that a reader may type. Pure. */

export interface CodeBlock {
  /** File and line, for example `docs/operators/admin.md:7`. */
  readonly at: string
  readonly language: string
  readonly text: string
}

const fence = /^```(\w*)\n([\s\S]*?)^```/gm

export const codeBlocks = (file: string, markdown: string): ReadonlyArray<CodeBlock> =>
  Array.from(markdown.matchAll(fence), ({ 1: language = "", 2: text = "", index }) => ({
    at: `${file}:${markdown.slice(0, index).split("\n").length}`,
    language,
    text,
  }))

/** A command and the sample output shown below it. */
export interface Command {
  readonly at: string
  readonly text: string
  readonly sample: string
  /** Variable assignments from earlier lines of the same block. */
  readonly before: string
}

const isOpen = (text: string): boolean => text.endsWith("\\") || (text.match(/'/g)?.length ?? 0) % 2 === 1

/**
 * Returns the commands of a block. In shell blocks every line is a command, in console blocks lines after `$ `, and in
 * blocks without a language lines that start with `npm `.
 */
export const commandsOf = ({ at, language, text }: CodeBlock): ReadonlyArray<Command> => {
  const isConsole = language === "console"
  if (!["sh", "console", ""].includes(language)) return []
  const commands: Array<{ text: string; sample: string; before: string }> = []
  let open = ""
  let before = ""
  for (const line of text.split("\n")) {
    const typed = isConsole ? (line.startsWith("$ ") ? line.slice(2) : undefined) : line
    const isCommand = open !== "" || (typed !== undefined && typed.trim() !== "" && !typed.startsWith("#"))
    if (typed === undefined || !isCommand || (language === "" && !typed.startsWith("npm "))) {
      const last = commands.at(-1)
      if (isConsole && last !== undefined) last.sample += `${line}\n`
      continue
    }
    open = open === "" ? typed : `${open}\n${typed}`
    if (isOpen(open)) continue
    if (/^\w+=/.test(open)) before += `${open}\n`
    else commands.push({ text: open, sample: "", before })
    open = ""
  }
  return commands.map((command) => ({ at, ...command }))
}
