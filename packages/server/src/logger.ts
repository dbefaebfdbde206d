import { Writable } from "node:stream";
import { type DestinationStream, type Logger as Events, pino } from "pino";

/** What is told of each request: ids, routes, codes and times, never content. */
export interface RequestLine {
  readonly request: string;
  readonly method: string;
  /** As it is declared, with the names of its parts; null where none fits the address. */
  readonly route: string | null;
  readonly status: number;
  readonly ms: number;
}

export type Logger = Events & { readonly requested: (line: RequestLine) => void };

/** How long a line may wait for others. */
const WAIT_MS = 50;
const MOST_HELD = 64 * 1024;

/**
 * Lines of JSON on stderr. stdout stays free for what a face says. What cannot be written is lost and stops nothing: the
 * reader of a log may leave, and its disk may be full.
 */
export function createLogger(level: "info" | "error" | "silent", to: DestinationStream = process.stderr): Logger {
  if (level !== "silent" && to instanceof Writable && to.listenerCount("error") === 0) to.on("error", () => {});
  const lines = gathered(to);
  const events = pino({ level, base: null, timestamp: () => `,"time":"${isoTime()}"` }, lines);
  const told = events.isLevelEnabled("info");
  return Object.assign(events, {
    requested(line: RequestLine) {
      if (told) lines.write(requestLine(line));
    },
  });
}

/** Written out, for the logger's own way takes longer than reading the body does (bench/http.bench.mjs). */
const requestLine = ({ request, method, route, status, ms }: RequestLine): string =>
  `{"level":30,"time":"${isoTime()}","request":"${request}","method":"${method}","route":${JSON.stringify(route)},"status":${status},"ms":${ms},"msg":"request"}\n`;

let lastMs = Number.NaN;
let lastText = "";

function isoTime(): string {
  const now = Date.now();
  if (now !== lastMs) {
    lastMs = now;
    lastText = new Date(now).toISOString();
  }
  return lastText;
}

/** Many lines in one write. What is held when the process ends is written then; only a kill can lose it. */
function gathered(to: DestinationStream): DestinationStream {
  let held = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    process.off("exit", flush);
    const text = held;
    held = "";
    try {
      to.write(text);
    } catch {
      // A file is written at once, and the fault is thrown here; there is nobody to tell.
    }
  };
  return {
    write(line) {
      held += line;
      if (held.length >= MOST_HELD) return flush();
      if (timer !== undefined) return;
      timer = setTimeout(flush, WAIT_MS);
      process.once("exit", flush);
    },
  };
}
