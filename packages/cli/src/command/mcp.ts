import { VERSION } from "@countersign/api";
import { suggest } from "@countersign/core";
import { createLogger, implementation, LOCAL, serveMcpStdio, toolSet } from "@countersign/server";
import { CommandError } from "../exit.ts";
import { type FaceOptions, openFaces } from "../faces.ts";
import { stdout } from "../output.ts";

/** Serves the tools on stdin and stdout until stdin ends. */
export async function mcp(options: FaceOptions & { readonly dialect?: string }): Promise<void> {
  const faces = await openFaces(options, createLogger("error"));
  const names = faces.dialects.map(({ name }) => name);
  const { dialect } = options;
  if (dialect !== undefined && !names.includes(dialect)) {
    await faces.close();
    const meant = suggest(dialect, names);
    throw new CommandError(
      "usage",
      meant === undefined ? "this dialect is not known" : `this dialect is not known; did you mean ${meant}?`,
      { at: "--dialect", expected: names.join(", ") },
    );
  }
  const served = faces.dialects.filter(({ name }) => dialect === undefined || name === dialect);
  const tools = served.flatMap((one) => toolSet(one).tools);
  await serveMcpStdio(implementation(VERSION), tools, LOCAL, process.stdin, stdout());
  await faces.close();
}
