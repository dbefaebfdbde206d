import { open } from "node:fs/promises";
import { encodeUtf8 } from "@countersign/core";
import type { Egress } from "../egress/egress.ts";
import type { Anchor } from "./checkpoints.ts";

/** Appends a line `{tenant, size, note}` to a file, durably: best on another machine, or where nobody can take back what was written. */
export const anchorToFile =
  (path: string): Anchor =>
  async (tenant, { size, note }) => {
    try {
      const file = await open(path, "a", 0o600);
      try {
        await file.appendFile(`${JSON.stringify({ tenant, size, note })}\n`);
        await file.datasync();
      } finally {
        await file.close();
      }
      return { ok: true, value: undefined };
    } catch {
      return { ok: false, error: { code: "anchor.unwritable" } };
    }
  };

/** Posts the note as it is, through the way out that judges where it goes. */
export const anchorToUrl =
  (url: string, egress: Egress): Anchor =>
  async (_, { note }) => {
    const sent = await egress.send({
      method: "POST",
      url,
      headers: { "content-type": "text/plain; charset=utf-8" },
      body: encodeUtf8(note),
    });
    if (!sent.ok) return sent;
    const taken = sent.value.status >= 200 && sent.value.status < 300;
    return taken ? { ok: true, value: undefined } : { ok: false, error: { code: "anchor.refused" } };
  };
