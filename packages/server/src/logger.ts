import { type DestinationStream, type Logger, pino } from "pino";

export type { Logger };

/** Lines of JSON on stderr: ids, routes, codes and times, never content. stdout stays free for what a face says. */
export const createLogger = (level: "info" | "error" | "silent", to: DestinationStream = process.stderr): Logger =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, to);
