import { expect, test } from "vitest";
import { saysUtf8 } from "./charset.ts";

test.each([
  "application/json",
  "application/json;",
  "application/json; charset=utf-8",
  "application/json;charset=UTF-8",
  'application/json; charset="Utf-8"',
  "application/json; charset = utf8 ; v=1",
  'application/json; v="charset=utf-16"',
  "application/json; mycharset=utf-16",
])("%s is UTF-8", (type) => {
  expect(saysUtf8(type)).toBe(true);
});

test.each([
  "application/json; charset=utf-16",
  "application/json;CHARSET=utf-16",
  'application/json; charset="utf-16"',
  'application/json; v="a;b"; charset=utf-16le',
  "application/json; charset=utf-8; charset=utf-16",
  "application/json; charset=latin1",
  "application/json; charset=us-ascii",
  "application/json; charset=",
  'application/json; charset=""',
  'application/json; charset="utf-8',
  "application/json; charset=utf-8x",
])("%s is not", (type) => {
  expect(saysUtf8(type)).toBe(false);
});
