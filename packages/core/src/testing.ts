export { sharedSuite } from "./testing/sharedSuite.ts";
