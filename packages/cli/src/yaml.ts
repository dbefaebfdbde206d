export { parseYaml } from "@countersign/api";
