import { VERSION } from "@countersign/api";

/** Under the same engine a decision replays. What judges changes with our version and with the runtime's Unicode tables. */
export const ENGINE = `countersign/${VERSION} unicode/${process.versions["unicode"]} icu/${process.versions["icu"]}`;
