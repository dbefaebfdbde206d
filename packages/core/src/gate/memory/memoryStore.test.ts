import { randomBytes } from "node:crypto";
import { nodeSha256, storeSuite } from "../../testing.ts";
import { createMemoryStore } from "./memoryStore.ts";

storeSuite("the memory store", async () => {
  let now = 0;
  const store = createMemoryStore({
    sha256: nodeSha256,
    random: (bytes) => new Uint8Array(randomBytes(bytes)),
    clock: () => now,
  });
  const setClock = (to: number) => {
    now = to;
  };
  return { store, setClock, close: () => store.close() };
});
