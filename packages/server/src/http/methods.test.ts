import { expect, test } from "vitest";
import { createMethods } from "./methods.ts";

const methods = createMethods();
methods.learn("/", ["GET"]);
methods.learn("/v1/holds", ["GET"]);
methods.learn("/v1/holds/:hold", ["GET"]);
methods.learn("/v1/holds/:hold", ["DELETE"]);
methods.learn("/v1/holds/effective", ["PUT"]);
methods.learn("/mcp", ["POST", "GET"]);

test.each([
  { path: "/", want: ["GET"] },
  { path: "/mcp", want: ["GET", "POST"] },
  { path: "/v1/holds/hold_1", want: ["DELETE", "GET"] },
  { path: "/v1/holds/effective", want: ["DELETE", "GET", "PUT"] },
  { path: "/v1/holds/", want: [] },
  { path: "/v1/holds/a/b", want: [] },
  { path: "/v1/HOLDS", want: [] },
  { path: "/nowhere", want: [] },
  { path: "", want: [] },
  { path: "/__proto__", want: [] },
])("$path takes $want", ({ path, want }) => {
  expect(methods.at(path)).toEqual(want);
});
