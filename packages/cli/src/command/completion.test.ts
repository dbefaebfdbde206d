import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { countersign } from "../testing/command.ts";

const scriptOf = (shell: string): string => {
  const ran = countersign(["completion", shell]);
  expect(ran).toMatchObject({ status: 0, stderr: "" });
  return ran.stdout;
};
const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

/** What bash offers when Tab is pressed behind these words. */
function offered(...words: string[]): string[] {
  const quoted = words.map((word) => `'${word}'`).join(" ");
  const { stdout, stderr } = spawnSync(
    "bash",
    [
      "--norc",
      "-c",
      `${scriptOf("bash")}\nCOMP_WORDS=(countersign ${quoted}); COMP_CWORD=${words.length}; _countersign; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ],
    { cwd: "/" },
  );
  expect(stderr.toString()).toBe("");
  return stdout
    .toString()
    .split("\n")
    .filter((line) => line !== "");
}

describe.runIf(has("bash"))("bash", () => {
  test("reads the script", () => {
    expect(spawnSync("bash", ["-n"], { input: scriptOf("bash") })).toMatchObject({ status: 0 });
  });

  test.each([
    { words: ["ch"], offers: ["check"] },
    { words: ["check", "--po"], offers: ["--policy"] },
    { words: ["keys", ""], offers: ["create", "list", "revoke", "rotate", "signing"] },
    { words: ["keys", "signing", "ro"], offers: ["rotate"] },
    {
      words: ["keys", "signing", "rotate", "--purpose", ""],
      offers: ["receipts", "advice", "mandate", "checkpoints", "webhooks", "review"],
    },
    { words: ["scan", "--source", "w"], offers: ["web"] },
    { words: ["canonical", "--form", ""], offers: ["jcs", "mandate"] },
    { words: ["completion", "z"], offers: ["zsh"] },
    { words: ["check", "/et"], offers: ["/etc"] },
  ])("offers $offers behind $words", ({ words, offers }) => {
    expect(offered(...words).filter((word) => word !== "--help")).toEqual(offers);
  });

  test("offers every command", () => {
    expect(offered("")).toEqual(
      expect.arrayContaining([
        "check",
        "scan",
        "url",
        "secrets",
        "fields",
        "clean",
        "canonical",
        "digest",
        "receipt",
        "keys",
        "init",
        "doctor",
        "serve",
        "mcp",
        "holds",
        "outcome",
        "stop",
        "agents",
        "log",
        "completion",
      ]),
    );
  });
});

test.runIf(has("zsh"))("zsh reads the script", () => {
  expect(spawnSync("zsh", ["-n"], { input: scriptOf("zsh") })).toMatchObject({ status: 0 });
});

test.runIf(has("fish"))("fish reads the script", () => {
  // By way of a file: from a pipe fish reads nothing when it may not run it.
  const folder = mkdtempSync(join(tmpdir(), "countersign-fish-"));
  const file = join(folder, "countersign.fish");
  writeFileSync(file, scriptOf("fish"));
  expect(spawnSync("fish", ["--no-execute", file])).toMatchObject({ status: 0 });
  writeFileSync(file, `${scriptOf("fish")}\nif true\n`);
  expect(spawnSync("fish", ["--no-execute", file]).status).not.toBe(0);
  rmSync(folder, { recursive: true });
});

test.each(["zsh", "fish"])(
  "the script for %s has every command, flag and choice, and no quotation left open",
  (shell) => {
    const script = scriptOf(shell);
    for (const word of [
      "check",
      "rotate",
      "verify",
      "checkpoints",
      "tool_description",
      shell === "fish" ? "-l policy" : "--policy",
    ])
      expect(script).toContain(word);
    for (const line of script.split("\n")) {
      expect((line.match(/"/g)?.length ?? 0) % 2, line).toBe(0);
      if (shell === "fish") expect((line.match(/'/g)?.length ?? 0) % 2, line).toBe(0);
    }
  },
);

test("a shell that is not known is a mistake", () => {
  expect(countersign(["completion", "tcsh"])).toMatchObject({ status: 3, stdout: "" });
});
