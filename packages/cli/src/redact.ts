/** A file of its own, so that it is loaded when something has to be told and not before. */
export { redact } from "@countersign/core";
