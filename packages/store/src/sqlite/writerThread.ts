// The entry of the writer's thread. A bundler has to keep it as a file of its own beside the file that starts it.
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { LARGEST_GROUP, type Means, ok } from "@countersign/core";
import { type Fault, faultAt } from "../faults.ts";
import type { TaskArguments, TaskName } from "../sql/tasks.ts";
import { openWriter, type Submitted } from "./writer.ts";

const port = parentPort as MessagePort;
interface Given {
  readonly path: string;
  readonly secret: Means["secret"];
  readonly fault?: Fault;
}

const { path, secret, fault } = workerData as Given;
const writer = openWriter(path, secret, fault);
const answered = faultAt(fault?.point === "answered" ? fault : undefined);

/** What the thread is asked; everything is answered once, under its id. */
export type Asked =
  | { readonly id: number; readonly ask: "commit"; readonly submitted: Submitted }
  | { readonly id: number; readonly ask: "task"; readonly name: TaskName; readonly values: TaskArguments<TaskName> }
  | { readonly id: number; readonly ask: "probe" | "close" };

export interface Answered {
  readonly id: number;
  readonly answer: unknown;
}

/** Messages are lists as JSON text: cheaper to take across than objects. */
const said = (message: string): Asked[] => JSON.parse(message);
const answer = (answers: readonly Answered[]): void => port.postMessage(JSON.stringify(answers));

let waiting: Asked[] = [];

port.on("message", (message: string) => {
  waiting.push(...said(message));
  while (waiting.length > 0) {
    // Whatever waits when the last commit ended goes into the next one, and nothing waits for company.
    while (waiting.length < LARGEST_GROUP) {
      const received = receiveMessageOnPort(port);
      if (received === undefined) break;
      waiting.push(...said(received.message));
    }
    const batch = waiting.slice(0, LARGEST_GROUP);
    waiting = waiting.slice(LARGEST_GROUP);
    serve(batch);
  }
});

function serve(batch: readonly Asked[]): void {
  const commits = batch.filter((asked) => asked.ask === "commit");
  if (commits.length > 0) {
    const answers = writer.commit(commits.map(({ submitted }) => submitted));
    answer(commits.map(({ id }, i) => ({ id, answer: answers[i] })));
    answered("answered");
  }
  for (const asked of batch) if (asked.ask !== "commit") answer([{ id: asked.id, answer: other(asked) }]);
  if (batch.some(({ ask }) => ask === "close")) port.close();
}

function other(asked: Exclude<Asked, { ask: "commit" }>) {
  switch (asked.ask) {
    case "task":
      return writer.task(asked.name, asked.values);
    case "probe":
      return writer.probe();
    case "close":
      return ok(writer.close());
  }
}

answer([{ id: 0, answer: ok(undefined) }]);
