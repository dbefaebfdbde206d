import { Worker } from "node:worker_threads";
import { err, type Means, type Result, type StoreError } from "@countersign/core";
import type { Fault } from "../faults.ts";
import { storeError } from "../sql/storeError.ts";
import type { TaskArguments, TaskName, TaskResult } from "../sql/tasks.ts";
import type { Submitted, Written } from "./writer.ts";
import type { Answered, Asked } from "./writerThread.ts";

export interface WriterClient {
  commit(submitted: Submitted): Promise<Written>;
  task<N extends TaskName>(name: N, values: TaskArguments<N>): Promise<Result<TaskResult<N>, StoreError>>;
  probe(): Promise<Result<void, StoreError>>;
  close(): Promise<void>;
}

type Answer = Result<unknown, StoreError>;

/**
 * Run from source, the thread still needs what the build made, as not every version of Node reads TypeScript; and it takes
 * no flags from this process, so that it finds the built packages too.
 */
const entry = new URL(
  import.meta.url.endsWith(".ts") ? "../../dist/sqlite/writerThread.js" : "./writerThread.js",
  import.meta.url,
);

/** Starts the writer's thread and resolves when it has the file open. */
export async function startWriter(
  path: string,
  secret: Means["secret"],
  fault?: Fault,
): Promise<Result<WriterClient, StoreError>> {
  const worker = new Worker(entry, { workerData: { path, secret, fault }, execArgv: [] });
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  let gone: StoreError["code"] | undefined;

  worker.on("message", (message: string) => {
    for (const { id, answer } of JSON.parse(message) as Answered[]) {
      waiting.get(id)?.(answer as Answer);
      waiting.delete(id);
    }
    if (waiting.size === 0) worker.unref();
  });
  // A thread that is gone answers nobody: what it was doing may or may not be done.
  const lost = (): void => {
    gone ??= "store.unavailable";
    for (const answer of waiting.values()) answer(err(storeError("store.in_doubt")));
    waiting.clear();
  };
  worker.on("error", lost);
  worker.on("exit", lost);

  // What is asked in one turn of the loop goes over in one message.
  let outgoing: Asked[] = [];
  const send = (): void => {
    worker.postMessage(JSON.stringify(outgoing));
    outgoing = [];
  };
  const ask = (make: (id: number) => Asked): Promise<Answer> =>
    new Promise((resolve) => {
      if (gone !== undefined) return resolve(err(storeError(gone)));
      worker.ref();
      last += 1;
      waiting.set(last, resolve);
      if (outgoing.length === 0) queueMicrotask(send);
      outgoing.push(make(last));
    });

  const started = await new Promise<Answer>((resolve) => void waiting.set(0, resolve));
  if (!started.ok) return err(storeError("store.unavailable"));
  return {
    ok: true,
    value: {
      commit: (submitted) => ask((id) => ({ id, ask: "commit", submitted })) as Promise<Written>,
      task: (name, values) => ask((id) => ({ id, ask: "task", name, values })) as never,
      probe: () => ask((id) => ({ id, ask: "probe" })) as Promise<Result<void, StoreError>>,
      close: async () => {
        const closing = ask((id) => ({ id, ask: "close" }));
        gone = "store.closed";
        await closing;
        await worker.terminate();
      },
    },
  };
}
