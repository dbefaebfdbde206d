// One gate of many on a database: commits in groups until it is told to stop, and says how many decisions it made.
import { openPostgresStore } from "@countersign/store";
import { decision, must } from "./storeDecision.mjs";

const store = must(await openPostgresStore({ url: process.argv[2] }));
const prefix = process.argv[3];
let running = false;
let made = 0;
const caller = async () => {
  while (running) {
    must(await store.commit("bench", decision(prefix)));
    made += 1;
  }
};
process.on("message", async (message) => {
  if (message === "start") {
    made = 0;
    running = true;
    await Promise.all(Array.from({ length: 100 }, caller));
    process.send({ made });
  }
  if (message === "stop") running = false;
  if (message === "end") {
    await store.close();
    process.disconnect();
  }
});
process.send("ready");
