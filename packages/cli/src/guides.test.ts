import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BIN, ENVIRONMENT } from "./testing/command.ts";

const guide = (name: string): string => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), "utf8");

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Every command of a guide, in its order, in an empty folder; the gate it starts is ended at the end. */
async function follow(name: string) {
  const folder = mkdtempSync(join(tmpdir(), "countersign-guide-"));
  try {
    const port = String(await freePort());
    writeFileSync(join(folder, "countersign"), `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`);
    chmodSync(join(folder, "countersign"), 0o755);
    const blocks = [...guide(name).matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block);
    const script = ["set -eu", "trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT", ...blocks].join("\n");
    const ran = spawnSync(
      "bash",
      ["-c", script.replaceAll("8402", port).replace("countersign serve", `countersign serve --port ${port}`)],
      {
        cwd: folder,
        env: { ...ENVIRONMENT, PATH: `${folder}:${ENVIRONMENT.PATH}`, COUNTERSIGN_URL: `http://127.0.0.1:${port}` },
        encoding: "utf8",
        timeout: 60_000,
      },
    );
    return { status: ran.status, stdout: ran.stdout, stderr: ran.stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.each([
  {
    name: "holds.md",
    shows: [
      /"verdict":"review"/,
      /what will run/,
      /report\.pdf/,
      / {2}approved/,
      /"redeemed_at"/,
      /executed {2}money none/,
      /agent:shopper is stopped|deletes too much/,
      / {2}lifted\n/,
    ],
  },
  {
    name: "log.md",
    shows: [
      /the log agrees: \d+ records/,
      /countersign\/log\/local\n\d+\n/,
      /proven: record \d+, decide dec_/,
      /erased what was kept beside \d+ records/,
    ],
  },
  {
    name: "operating.md",
    shows: [/shopper {2}agent shopper {2}decide/, /revoked\n/, /shopper {2}active {2}in buyers/, /"secret_version":1/],
  },
])(
  "what $name tells works as it is written",
  async ({ name, shows }) => {
    const ran = await follow(name);
    expect(ran.status, ran.stderr + ran.stdout).toBe(0);
    for (const shown of shows) expect(ran.stdout).toMatch(shown);
  },
  90_000,
);
