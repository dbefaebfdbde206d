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
      const bytes = socket.bytesRead + socket.bytesWritten;
      seen.looks = bytes === seen.bytes ? seen.looks + 1 : 0;
      seen.bytes = bytes;
      if (seen.looks >= LOOKS) socket.destroy();
    }
  }, afterMs / LOOKS);
  look.unref();
  server.once("close", () => clearInterval(look));
}
