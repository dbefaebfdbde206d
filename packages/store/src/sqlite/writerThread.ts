// The entry of the writer's thread. A bundler has to keep it as a file of its own beside the file that starts it.
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { LARGEST_GROUP, ok } from "@countersign/core";
import { type Fault, faultAt } from "../faults.ts";
import type { TaskArguments, TaskName } from "../sql/tasks.ts";
import { openWriter, type Submitted } from "./writer.ts";

const port = parentPort as MessagePort;
const { path, fault } = workerData as { readonly path: string; readonly fault?: Fault };
const writer = openWriter(path, fault);
const answered = faultAt(fault?.point === "answered" ? fault : undefined);

/** What the thread is asked; every message is answered once, under its id. */
export type Message =
  | { readonly id: number; readonly ask: "commit"; readonly submitted: Submitted }
  | { readonly id: number; readonly ask: "task"; readonly name: TaskName; readonly values: TaskArguments<TaskName> }
  | { readonly id: number; readonly ask: "probe" | "close" };

/** Whatever waits when the last commit ended goes into the next one, and nothing waits for company. */
function drain(first: Message): Message[] {
  const batch = [first];
  while (batch.length < LARGEST_GROUP) {
    const received = receiveMessageOnPort(port);
    if (received === undefined) break;
    batch.push(received.message as Message);
  }
  return batch;
}

port.on("message", (first: Message) => {
  const batch = drain(first);
  const commits = batch.filter((message) => message.ask === "commit");
  if (commits.length > 0) {
    const answers = writer.commit(commits.map(({ submitted }) => submitted));
    port.postMessage(commits.map(({ id }, i) => ({ id, answer: answers[i] })));
    answered("answered");
  }
  for (const message of batch) {
    if (message.ask !== "commit") port.postMessage([{ id: message.id, answer: other(message) }]);
  }
  if (batch.some(({ ask }) => ask === "close")) port.close();
});

function other(message: Exclude<Message, { ask: "commit" }>) {
  switch (message.ask) {
    case "task":
      return writer.task(message.name, message.values);
    case "probe":
      return writer.probe();
    case "close":
      return ok(writer.close());
  }
}

port.postMessage([{ id: 0, answer: ok(undefined) }]);
