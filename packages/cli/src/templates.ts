import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { CommandError } from "./exit.ts";

/** Policies for common jobs, each with its tests, as files that anybody can read. */
export const TEMPLATES = [
  "coding-agent",
  "shopping-agent",
  "x402-buyer",
  "trading-bot",
  "mail-assistant",
  "devops-agent",
] as const;

/** `shop.yaml` has its tests in `shop.test.yaml`, where `policy test` looks for `shop.yaml`. */
export const testsBeside = (policy: string): string => `${policy.replace(/[.](?:ya?ml|json)$/i, "")}.test.yaml`;

export function readTemplate(name: string): { readonly policy: string; readonly tests: string } {
  try {
    // Beside the folder of the program that was started, wherever it was linked from.
    const folder = join(dirname(realpathSync(process.argv[1] ?? "")), "../templates");
    const read = (file: string): string => readFileSync(join(folder, file), "utf8");
    return { policy: read(`${name}.yaml`), tests: read(`${name}.test.yaml`) };
  } catch {
    throw new CommandError("init.template", "the template is not where the program was installed", { at: name });
  }
}
