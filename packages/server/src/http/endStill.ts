import type { Server } from "node:http";
import type { Socket } from "node:net";

interface Seen {
  bytes: number;
  looks: number;
}

/** Connections are looked at this often within the time that they may stand still. */
const LOOKS = 6;

/**
 * Ends connections on which no byte moved for `afterMs`: peers that do not read what they asked for. One look at all of
 * them now and then, since the runtime's own timer is set anew at every request, which costs 4 % of an answer
 * (bench/http.bench.mjs).
 */
export function endStill(server: Server, afterMs: number): void {
  const open = new Map<Socket, Seen>();
  server.on("connection", (socket: Socket) => {
    open.set(socket, { bytes: -1, looks: 0 });
    socket.once("close", () => open.delete(socket));
  });
  const look = setInterval(() => {
    for (const [socket, seen] of open) {
      const bytes = socket.bytesRead + sent(socket);
      seen.looks = bytes === seen.bytes ? seen.looks + 1 : 0;
      seen.bytes = bytes;
      if (seen.looks >= LOOKS) socket.destroy();
    }
  }, afterMs / LOOKS);
  look.unref();
  server.once("close", () => clearInterval(look));
}

/** What the runtime's own timer goes by, under a name that it does not document. */
interface Handle {
  readonly bytesWritten?: number;
  readonly writeQueueSize?: number;
}

/**
 * What has left this process. What only waits to be sent does not count: a peer that takes a long answer slowly would seem
 * to stand still, and one that reads nothing of a stream would seem to move.
 */
function sent(socket: Socket): number {
  const { bytesWritten, writeQueueSize } = (socket as { readonly _handle?: Handle | null })._handle ?? {};
  return bytesWritten === undefined || writeQueueSize === undefined
    ? socket.bytesWritten
    : bytesWritten - writeQueueSize;
}
