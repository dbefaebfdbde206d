export { program, run } from "./main.ts";
