import type { Result, Store, StoredCheckpoint } from "@countersign/core";
import { checkpoint, type LogFace } from "../lifecycle/log.ts";
import type { Logger } from "../logger.ts";
import { type Repeated, repeat } from "./repeat.ts";

/** Keeps a signed checkpoint somewhere that whoever can write the log cannot. */
export type Anchor = (tenant: string, checkpoint: StoredCheckpoint) => Promise<Result<void, { readonly code: string }>>;

const EVERY_MS = 60_000;

/** Signs every log that has grown, so that a later rewriting shows, and takes the checkpoint elsewhere where there is an anchor. */
export function startCheckpoints(
  face: LogFace & { readonly store: Pick<Store, "tenants"> },
  anchor: Anchor | null,
  logger: Logger,
  everyMillis: number = EVERY_MS,
): Repeated {
  const anchored = new Map<string, number>();
  const failed = (code: string, what: string): void => logger.error({ code }, what);
  return repeat(
    everyMillis,
    async () => {
      const tenants = await face.store.tenants();
      if (!tenants.ok) return failed(tenants.error.code, "the logs could not be listed");
      for (const tenant of tenants.value) {
        const signed = await checkpoint(face, tenant);
        if (!signed.ok) return failed(signed.error.code, "a checkpoint could not be signed");
        if (anchor === null || anchored.get(tenant) === signed.value.size) continue;
        const kept = await anchor(tenant, signed.value);
        if (kept.ok) anchored.set(tenant, signed.value.size);
        else failed(kept.error.code, "a checkpoint could not be anchored");
      }
    },
    () => failed("internal", "checkpoints could not be made"),
  );
}
