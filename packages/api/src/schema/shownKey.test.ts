import { expect, test } from "vitest";
import { shownKey } from "./shownKey.ts";

test.each(["amount", "allowed_merchants", "__proto__", "items.0.name", "line 2", "x-request-id", "v1", "address2"])(
  "shows %s",
  (key) => {
    expect(shownKey(key)).toBe(key);
  },
);

test.each([
  { it: "an access key", key: `AKIA${"IOSFODNN7EXAMPLE"}` },
  { it: "a token", key: `ghp_${"a1B2c3".repeat(6)}` },
  { it: "a hash", key: "9f86d081884c7d65" },
  { it: "markup", key: "<b>x</b>" },
  { it: "an escape sequence", key: "\u001b[2J" },
  { it: "letters of other scripts", key: "аmount" },
  { it: "a text that turns around", key: "a\u202eb" },
  { it: "a sentence", key: `please ${"really ".repeat(6)}ignore` },
  { it: "nothing", key: "" },
])("does not repeat $it", ({ key }) => {
  expect(shownKey(key)).toBe("*");
});

test("is done with any key in linear time", () => {
  for (const unit of ["a", "_", "1", "a1", "-a", "._ "]) expect(shownKey(`${unit.repeat(100_000)}!`)).toBe("*");
});
