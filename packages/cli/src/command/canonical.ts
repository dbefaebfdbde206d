import { createHash } from "node:crypto";
import { canonicalize, mandateForm, NotJsonError } from "@countersign/core";
import { refuse } from "../exit.ts";
import { nameOf, readJson } from "../input.ts";
import { isTerminal, print, write } from "../output.ts";

export interface CanonicalOptions {
  readonly form: "jcs" | "mandate";
}

/** Prints exactly the bytes, so that they can be hashed; a person's terminal gets a line feed behind them. */
export async function canonical(file: string | undefined, { form }: CanonicalOptions): Promise<void> {
  const text = await canonicalText(file, form);
  if (isTerminal()) print(text);
  else write(text);
}

/** The published forms differ in what stands between tag and bytes. */
const BEHIND_TAG = { jcs: "\n", mandate: "" } as const;

export async function digest(
  file: string | undefined,
  { form, tag }: CanonicalOptions & { readonly tag?: string },
): Promise<void> {
  const text = await canonicalText(file, form);
  const before = tag === undefined ? "" : `${tag}${BEHIND_TAG[form]}`;
  print(createHash("sha256").update(`${before}${text}`, "utf8").digest("hex"));
}

/** RFC 8785 rounds numbers to doubles; the mandate's form keeps integers as they are written. */
async function canonicalText(file: string | undefined, form: CanonicalOptions["form"]): Promise<string> {
  try {
    return form === "jcs" ? canonicalize(await readJson(file, "rounded")) : mandateForm(await readJson(file, "exact"));
  } catch (cause) {
    if (!(cause instanceof NotJsonError)) throw cause;
    return refuse({ code: "json.not_a_value", message: cause.message }, nameOf(file));
  }
}
