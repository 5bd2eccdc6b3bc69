import { assert, describe, it } from "vitest"
import { codeBlocks, commandsOf } from "./codeBlocks.ts"

const markdown = `# A

\`\`\`sh
# a comment
curl -d '[{
  "a": 1 }]' http://x   # why
name=$(ls)
curl \\
  http://y
\`\`\`

\`\`\`console
$ npm run admin -- keys list
KEY  LABEL
$ npm run admin -- audit list
AT
\`\`\`

\`\`\`
a drawing -> of something
npm run simulate -- --seed 1   one
\`\`\`

\`\`\`json
{ "a": 1 }
\`\`\`
`

describe("commands of documents", () => {
  const blocks = codeBlocks("a.md", markdown)

  it("finds code blocks with their file and line", () => {
    assert.deepStrictEqual(
      blocks.map(({ at, language }) => [at, language]),
      [
        ["a.md:3", "sh"],
        ["a.md:12", "console"],
        ["a.md:19", ""],
        ["a.md:24", "json"],
      ],
    )
  })

  it("joins continued lines and returns each command with the variables set before it and its sample output", () => {
    assert.deepStrictEqual(
      blocks.flatMap(commandsOf).map(({ text, before, sample }) => [text, before, sample]),
      [
        [`curl -d '[{\n  "a": 1 }]' http://x   # why`, "", ""],
        ["curl \\\n  http://y", "name=$(ls)\n", ""],
        ["npm run admin -- keys list", "", "KEY  LABEL\n"],
        ["npm run admin -- audit list", "", "AT\n\n"],
        ["npm run simulate -- --seed 1   one", "", ""],
      ],
    )
  })
})
