import { formatDuration, parseDuration } from "@countersign/core";
import { KEY_PURPOSES, type KeyPurpose, type KeyRing, openKeyRing, rotateKeyRing } from "@countersign/server";
import { CommandError } from "../exit.ts";
import { keyFolder, purposesIn, refuseKeys } from "../keyFolder.ts";
import { paint, print, printJson } from "../output.ts";

interface HomeOptions {
  readonly home: string;
  readonly json?: boolean;
}

/** Lists what verifiers may see. Private halves are shown nowhere. */
export async function list({ home, json }: HomeOptions): Promise<void> {
  const folder = keyFolder(home);
  const purposes = purposesIn(folder);
  if (purposes.length === 0) throw noKeys(folder);
  const now = new Date();
  const rows: KeyRow[] = [];
  for (const purpose of purposes) {
    const ring = await openKeyRing(folder, purpose, now);
    rows.push(...(ring.ok ? rowsOf(ring.value, now) : refuseKeys(ring.error)));
  }
  if (json === true) return printJson({ keys: rows });
  printRows(rows);
}

/** Makes a new key. It is published at once and signs after the lead time; the present one signs until then. */
export async function rotate(
  options: HomeOptions & { readonly purpose: KeyPurpose; readonly lead: string },
): Promise<void> {
  const lead = parseDuration(options.lead);
  if (!lead.ok)
    throw new CommandError(lead.error.code, lead.error.message, {
      at: "--lead",
      expected: "an ISO 8601 duration such as PT10M",
    });
  const folder = keyFolder(options.home);
  if (!purposesIn(folder).includes(options.purpose)) throw noKeys(folder);
  const now = new Date();
  const ring = await rotateKeyRing(folder, options.purpose, now, lead.value * 1000);
  if (!ring.ok) return refuseKeys(ring.error);
  const rows = rowsOf(ring.value, now);
  if (options.json === true) return printJson({ keys: rows });
  print(`the new ${options.purpose} key is published now and signs in ${formatDuration(lead.value)}`);
  printRows(rows);
}

const noKeys = (folder: string): CommandError =>
  new CommandError("keys.none", "there are no signing keys here; make them with countersign init", {
    at: folder,
    expected: KEY_PURPOSES.join(", "),
  });

interface KeyRow {
  readonly purpose: KeyPurpose;
  readonly kid: string;
  readonly state: "signs" | "comes" | "verifies";
  readonly not_before: string;
  readonly not_after: string | null;
}

function rowsOf(ring: KeyRing, now: Date): readonly KeyRow[] {
  const signer = ring.signer(now);
  const signing = signer.ok ? signer.value.kid : null;
  return ring.published(now).map(({ kid, notBefore, notAfter }) => ({
    purpose: ring.purpose,
    kid,
    state: kid === signing ? "signs" : Date.parse(notBefore) > now.getTime() ? "comes" : "verifies",
    not_before: notBefore,
    not_after: notAfter,
  }));
}

function printRows(rows: readonly KeyRow[]): void {
  const widest = Math.max(...rows.map(({ kid }) => kid.length));
  for (const { purpose, kid, state, not_before: from, not_after: until } of rows)
    print(
      `${purpose.padEnd(12)}${kid.padEnd(widest + 2)}${state.padEnd(10)}${paint(`from ${from}${until === null ? "" : ` until ${until}`}`, "dim")}`,
    );
}
