import { assert, it } from "@effect/vitest"
import { card, table } from "@matchpoint/game/edge/admin/cli/print"

it("tables and cards of the command line show one line per row, whatever the texts contain", () => {
  const forged = "name\nacct_2  forged  admin"
  assert.deepStrictEqual(table(["id", "name"], [["1", forged]]), ["id  name", "1   name\\u{a}acct_2  forged  admin"])
  assert.deepStrictEqual(card({ id: "1", name: "a\u001b[2Kb" }), ["id    1", "name  a\\u{1b}[2Kb"])
})
