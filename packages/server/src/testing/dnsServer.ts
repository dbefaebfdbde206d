import { createSocket, type RemoteInfo, type Socket } from "node:dgram";

/** What a name resolves to, asked anew for each question. "servfail" and "silence" are what they say. */
export type DnsAnswers = (name: string, family: 4 | 6) => readonly string[] | "servfail" | "silence";

export interface DnsServer {
  /** `127.0.0.1:PORT`, as a resolver wants it. */
  readonly address: string;
  readonly asked: readonly string[];
  close(): Promise<void>;
}

const TYPE_A = 1;
const TYPE_AAAA = 28;

/** A name server on loopback, over UDP, that answers A and AAAA from a function (RFC 1035, as little of it as that takes). */
export async function startDnsServer(answers: DnsAnswers): Promise<DnsServer> {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  socket.on("message", (query, from) => reply(socket, query, from, answers, asked));
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function reply(socket: Socket, query: Buffer, from: RemoteInfo, answers: DnsAnswers, asked: string[]): void {
  const { name, type, end } = question(query);
  asked.push(name);
  const family = type === TYPE_AAAA ? 6 : 4;
  const found = type === TYPE_A || type === TYPE_AAAA ? answers(name, family) : [];
  if (found === "silence") return;
  const records = found === "servfail" ? [] : found.map((address) => record(type, bytesOf(address, family)));
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  // A response, recursion desired and available; the code is 2 for a failure.
  header.writeUInt16BE(found === "servfail" ? 0x8182 : 0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), from.port, from.address);
}

function question(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** The name is a pointer to the question; the answer is good for no time at all. */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([head, data]);
}

function bytesOf(address: string, family: 4 | 6): Buffer {
  if (family === 4) return Buffer.from(address.split(".").map(Number));
  const [left = "", right] = address.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16)));
  const [before, after] = [groups(left), groups(right ?? "")];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  const words = right === undefined ? before : [...before, ...zeros, ...after];
  return Buffer.from(words.flatMap((word) => [word >> 8, word & 0xff]));
}
