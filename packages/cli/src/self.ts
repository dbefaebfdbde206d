/** How whoever started this program starts it again: through npm nothing of it is on the path. */
export const self = (): string => (process.env["npm_execpath"] === undefined ? "countersign" : "npx countersign");
