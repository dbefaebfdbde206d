import type { Result } from "../../result.ts";
import type { Committed } from "../ports.ts";
import type { Change } from "./change.ts";
import type { Refusal } from "./refusal.ts";
import type { Work } from "./work.ts";

/**
 * How one kind of change happens. `want` asks for the rows it looks at, again after each load, until it has what those
 * rows point to. `apply` checks everything before it changes anything: a refusal leaves no trace.
 */
export interface Step<K extends Change["kind"]> {
  want(change: Extract<Change, { kind: K }>, work: Work): void;
  apply(change: Extract<Change, { kind: K }>, work: Work): Result<Committed<K>, Refusal>;
}
