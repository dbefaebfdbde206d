import type { Selector, TableName } from "@countersign/core";
import type { SqlValue } from "./codec.ts";

/** A condition on the rows of one table, with a `?` for each value; the tenant is added by the adapter. */
export interface Selection {
  readonly table: TableName;
  readonly where: string;
  readonly values: readonly SqlValue[];
  readonly limit: number;
}

/** Far more than one tenant has of what is selected without a limit of its own. */
const everything = 100_000;

export function selectionOf(selector: Selector): Selection {
  switch (selector.select) {
    case "stopsInForce":
      return {
        table: "stops",
        where: `"lifted_at" is null and ("until" is null or "until" > ?)`,
        values: [selector.now],
        limit: everything,
      };
    case "moneyDue":
      return {
        table: "decisions",
        where: `"release_at" <= ?`,
        values: [selector.now],
        limit: selector.limit,
      };
    case "holdsDue":
      return {
        table: "holds",
        where: `"state" = 'open' and ("expires_at" <= ? or "remind_at" <= ?)`,
        values: [selector.now, selector.now],
        limit: selector.limit,
      };
    case "contentsDue":
      return {
        table: "contents",
        where: `"keep_until" <= ? and "held" is null`,
        values: [selector.now],
        limit: selector.limit,
      };
    case "idempotencyDue":
      return { table: "idempotency", where: `"expires_at" <= ?`, values: [selector.now], limit: selector.limit };
    case "claimsDue":
      return {
        table: "claims",
        where: `"state" = 'answered' and "held_until" <= ?`,
        values: [selector.now],
        limit: selector.limit,
      };
    case "sealedDue":
      return { table: "sealed", where: `"until" <= ?`, values: [selector.now], limit: selector.limit };
    case "idempotencyAbout":
      return { table: "idempotency", where: `"ref" = ?`, values: [selector.ref], limit: everything };
    case "subject":
      return { table: "subjects", where: `"subject" = ?`, values: [selector.subject], limit: selector.limit };
    case "grantsFor":
      return {
        table: "grants",
        where: `"agent" = ? and "action_digest" = ? and "used_by" is null and "revoked_at" is null and "expires_at" > ?`,
        values: [selector.agent, selector.actionDigest, selector.now],
        limit: 64,
      };
    case "marksOf":
      return {
        table: "marks",
        where: `"credential" = ? and "at" > ?`,
        values: [selector.credential, selector.since],
        limit: 1000,
      };
  }
}
