import { type ChildProcess, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { BIN, countersign, ENVIRONMENT, isOneLine, start } from "./testing/command.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-cli-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const here = (...args: string[]) => countersign(args, "", folder);
const PURPOSES = ["receipts", "advice", "checkpoints", "webhooks", "mandate", "review"];

describe("init", () => {
  test("writes a policy that can be read and keys that only their owner may touch", () => {
    const ran = here("init");
    expect(ran).toMatchObject({ status: 0, stderr: "" });
    for (const purpose of PURPOSES)
      expect(statSync(join(folder, `.countersign/keys/${purpose}.json`)).mode & 0o777).toBe(0o600);
    writeFileSync(join(folder, "ask.json"), '{"action":{"kind":"file","verb":"read","target":"/work/a"}}');
    expect(here("check", "ask.json", "--policy", "policy.yaml").status).toBe(0);
    expect(here("doctor", "--policy", "policy.yaml").status).toBe(0);
  });

  test.runIf(process.platform !== "win32")("lets nobody else write where the keys are, whatever the umask", () => {
    spawnSync("sh", ["-c", `umask 000; exec ${process.execPath} ${BIN} init`], { cwd: folder, env: ENVIRONMENT });
    for (const name of [".countersign", ".countersign/keys"])
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o700);
  });

  test("says what to do next, and the first thing works as it is printed", () => {
    const told = here("init").stdout;
    const [, ask = "", args = ""] = /echo '(.*)' \| countersign (.*)\n/.exec(told) ?? [];
    expect(countersign(args.split(" "), ask, folder)).toMatchObject({ status: 0, stderr: "" });
    // And so does what the policy says of itself.
    expect(readFileSync(join(folder, "policy.yaml"), "utf8")).toContain(`echo '${ask}' | countersign ${args}`);
  });

  test("keeps whatever is there", () => {
    writeFileSync(join(folder, "policy.yaml"), "mine");
    here("init");
    const keys = readFileSync(join(folder, ".countersign/keys/receipts.json"), "utf8");
    const again = here("init");
    expect(again).toMatchObject({ status: 0, stderr: "" });
    expect(again.stdout).not.toContain("wrote");
    expect(readFileSync(join(folder, "policy.yaml"), "utf8")).toBe("mine");
    expect(readFileSync(join(folder, ".countersign/keys/receipts.json"), "utf8")).toBe(keys);
  });

  test("does not write through a link", () => {
    symlinkSync(join(folder, "elsewhere"), join(folder, "policy.yaml"));
    expect(here("init").stdout).toContain("kept  policy.yaml");
    expect(existsSync(join(folder, "elsewhere"))).toBe(false);
  });

  test("says where it cannot write", () => {
    writeFileSync(join(folder, "file"), "");
    const ran = here("init", "--policy", "file/policy.yaml");
    expect(ran).toMatchObject({ status: 3, stdout: "" });
    expect(ran.stderr).toContain("init.unwritable");
    expect(isOneLine(ran.stderr)).toBe(true);
  });
});

describe("keys signing", () => {
  test("lists public names and times, and nothing private", () => {
    here("init");
    const ran = here("keys", "signing", "list", "--json");
    const { keys } = JSON.parse(ran.stdout);
    expect(keys.map((key: { purpose: string }) => key.purpose)).toEqual(PURPOSES);
    const secret = JSON.parse(readFileSync(join(folder, ".countersign/keys/receipts.json"), "utf8")).keys[0]
      .private_key;
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(ran.stdout + here("keys", "signing", "list").stdout).not.toContain(secret);
  });

  test("rotates with overlap: the new key is published before it signs", () => {
    here("init");
    const ran = here("keys", "signing", "rotate", "--purpose", "receipts", "--lead", "PT1H", "--json");
    expect(ran.status).toBe(0);
    expect(JSON.parse(ran.stdout).keys.map(({ state }: { state: string }) => state)).toEqual(["signs", "comes"]);
    here("keys", "signing", "rotate", "--purpose", "advice", "--lead", "PT0S");
    expect(here("keys", "signing", "list").stdout).toMatch(/advice .* verifies .*\nadvice .* signs /);
  });

  test.each([
    { it: "where there are none", args: ["list"], says: "keys.none" },
    { it: "to rotate where there are none", args: ["rotate", "--purpose", "receipts"], says: "keys.none" },
    { it: "of a purpose that is none", args: ["rotate", "--purpose", "reciepts"], says: "Allowed choices" },
    { it: "without a purpose", args: ["rotate"], says: "--purpose" },
    { it: "with a lead that is none", args: ["rotate", "--purpose", "receipts", "--lead", "soon"], says: "--lead" },
  ])("$it is a mistake", ({ args, says }) => {
    const ran = here("keys", "signing", ...args);
    expect(ran).toMatchObject({ status: 3, stdout: "" });
    expect(ran.stderr).toContain(says);
    expect(isOneLine(ran.stderr)).toBe(true);
    expect(existsSync(join(folder, ".countersign"))).toBe(false);
  });
});

describe("doctor", () => {
  const rows = (
    ...args: string[]
  ): { held: boolean; checks: { what: string; held: boolean; detail: string }[]; status: number | null } => {
    const ran = here("doctor", "--json", ...args);
    return { ...JSON.parse(ran.stdout), status: ran.status };
  };
  const failing = (...args: string[]) =>
    rows(...args)
      .checks.filter(({ held }) => !held)
      .map(({ what }) => what);

  test("finds that everything holds in a sound gate", () => {
    const { held, status, checks } = rows();
    expect(checks.filter((check) => !check.held)).toEqual([]);
    expect({ held, status }).toEqual({ held: true, status: 0 });
    expect(checks.length).toBeGreaterThanOrEqual(12);
    expect(here("doctor").stdout).toContain("all 12 hold\n");
    expect(here("doctor").stdout).toContain("--url URL");
    here("init");
    expect(here("doctor", "--policy", "policy.yaml").stdout).toMatch(/all \d+ hold, 1 of them with a warning\n/);
    expect(here("doctor", "--policy", "policy.yaml").stdout).not.toContain("--policy FILE");
  });

  test.each([
    {
      it: "does not screen texts",
      policy: "mandate: {default: block, clauses: [{id: a, effect: allow, match: {kind: [file]}}]}",
      what: "injected instructions",
    },
    {
      it: "opens the metadata service",
      policy: 'screening: {mode: enforce}\nnetwork: {internal: {addresses: ["::ffff:169.254.169.254"]}}',
      what: "private address",
    },
  ])("finds a policy that $it", ({ policy, what }) => {
    writeFileSync(join(folder, "policy.yaml"), policy);
    const failed = failing("--policy", "policy.yaml");
    expect(failed).toHaveLength(1);
    expect(failed[0]).toContain(what);
    expect(here("doctor", "--policy", "policy.yaml")).toMatchObject({ status: 1, stderr: "" });
  });

  test("finds a key file that others may read", () => {
    here("init");
    expect(failing()).toEqual([]);
    chmodSync(join(folder, ".countersign/keys/advice.json"), 0o640);
    expect(failing()).toEqual([expect.stringContaining("advice.json")]);
  });

  test.each([".countersign", ".countersign/keys"])("finds a folder that others may write to: %s", (name) => {
    here("init");
    chmodSync(join(folder, name), 0o777);
    expect(failing()).toContainEqual(expect.stringContaining("put other keys"));
    expect(here("keys", "signing", "list").stderr).toContain("keys.loose_permissions");
  });

  test("warns that an agent of the same user could read the keys", () => {
    here("init");
    const { checks, status } = rows();
    expect(checks.filter((check) => "warning" in check)).toEqual([
      expect.objectContaining({ held: true, detail: expect.stringContaining("can read the keys") }),
    ]);
    expect(status).toBe(0);
    expect(here("doctor").stdout).toMatch(/^warns {2}agents run as another user/m);
  });

  test("does not take silence, or a web server that says yes to everything, for a gate", async () => {
    const server = createServer((_, reply) => reply.end('{"verdict":"allow"}')).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const child = start(["doctor", "--json", "--url", `http://127.0.0.1:${port}`], folder);
    const { checks } = JSON.parse(await textOf(child));
    const running = checks.filter(({ what }: { what: string }) => what.startsWith("the running gate"));
    expect(running.filter(({ held }: { held: boolean }) => held).map(({ what }: { what: string }) => what)).toEqual([
      "the running gate answers and is ready",
    ]);
    server.close();
    expect(failing("--url", `http://127.0.0.1:${port}`).length).toBe(running.length);
  });

  test("takes no address that is none", () => {
    expect(here("doctor", "--url", "localhost:8402").stderr).toContain("--url");
  });
});

async function textOf(child: ReturnType<typeof start>): Promise<string> {
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
  });
  await new Promise((resolve) => child.on("close", resolve));
  return text;
}

describe("a served gate", () => {
  let home: string;
  let child: ReturnType<typeof start>;
  let base: string;
  let greeting = "";

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), "countersign-serve-"));
    child = start(["serve", "--port", "0"], home);
    base = await new Promise((resolve, reject) => {
      child.stdout.on("data", (chunk) => {
        greeting += chunk;
        const address = /listens on (\S+)/.exec(greeting)?.[1];
        if (address !== undefined && greeting.includes("Ctrl-C")) resolve(address);
      });
      child.stderr.on("data", (chunk) => reject(new Error(String(chunk))));
    });
  });
  afterAll(async () => {
    await ended(child, "SIGKILL");
    rmSync(home, { recursive: true });
  });

  const READ = { action: { kind: "file", verb: "read", target: "/work/a.txt" } };
  const decide = async (key: string) => {
    const answer = await fetch(`${base}/v1/decisions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...READ, idempotency_key: key }),
    });
    return (await answer.json()) as Record<string, string>;
  };

  test("says what to try, and the first thing works as it is printed", async () => {
    expect(greeting).toContain("countersign doctor --url");
    const [, url, body] = /curl -s (\S+) .* -d '(.*)'/.exec(greeting) ?? [];
    const answer = await fetch(url ?? "", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: body ?? "",
    });
    expect(await answer.json()).toMatchObject({ verdict: "allow" });
  });

  test("passes the doctor", () => {
    const ran = countersign(["doctor", "--url", base], "", home);
    expect(ran.status, ran.stdout).toBe(0);
  });

  test("gives the digest that the command line gives for the same ask", async () => {
    const { action_digest: digest } = await decide("digest");
    const ran = countersign(["check", "-", "--json"], JSON.stringify(READ));
    expect(JSON.parse(ran.stdout).action_digest).toBe(digest);
  });

  describe("signs a receipt", () => {
    let receipt: string;
    let digest: string;
    const file = (name: string, content: string) => {
      writeFileSync(join(home, name), content);
      return name;
    };
    beforeAll(async () => {
      const answer = await decide("receipt");
      receipt = answer["receipt"] ?? "";
      digest = answer["action_digest"] ?? "";
      file("jwks.json", await (await fetch(`${base}/.well-known/jwks.json`)).text());
      file("advice.json", await (await fetch(`${base}/.well-known/countersign-advice-keys.json`)).text());
      file("ask.json", JSON.stringify(READ));
      file("receipt.jws", `${receipt}\n`);
    });
    const verify = (more: Record<string, string> = {}, input = "receipt.jws") => {
      const options = {
        jwks: "jwks.json",
        issuer: "countersign",
        audience: "countersign",
        tenant: "local",
        subject: "local",
        action: digest,
        ...more,
      };
      return countersign(
        ["receipt", "verify", input, ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])],
        "",
        home,
      );
    };

    test("that verifies, by the digest and by the ask", () => {
      expect(verify()).toMatchObject({
        status: 0,
        stderr: "",
        stdout: expect.stringContaining("a valid receipt of dec_"),
      });
      expect(verify({ action: "ask.json" }).status).toBe(0);
    });

    test.each([
      { it: "for another audience", more: { audience: "else" }, code: "receipt.audience_other" },
      { it: "of another gate", more: { issuer: "else" }, code: "receipt.issuer_other" },
      { it: "for another agent", more: { subject: "else" }, code: "receipt.subject_other" },
      { it: "for another action", more: { action: `sha256:${"0".repeat(64)}` }, code: "receipt.action_other" },
      { it: "by the keys for advice", more: { jwks: "advice.json" }, code: "receipt.key_unknown" },
      { it: "an hour later", more: { now: new Date(Date.now() + 3_600_000).toISOString() }, code: "receipt.expired" },
    ])("that does not verify $it", ({ more, code }) => {
      const ran = verify(more);
      expect(ran).toMatchObject({ status: 1, stderr: "" });
      expect(ran.stdout).toContain(code);
    });

    test("that does not verify when a character was changed", () => {
      const changed = receipt.replace(/[.](.)/, (_, first) => `.${first === "A" ? "B" : "A"}`);
      expect(verify({}, file("changed.jws", changed)).status).toBe(1);
    });

    test.each([
      { it: "keys that are none", more: { jwks: "ask.json" } },
      { it: "a skew that is none", more: { "clock-skew": "soon" } },
      { it: "an action that is missing", more: { action: "none.json" } },
    ])("and says what is wrong with $it", ({ more }) => {
      const ran = verify(more);
      expect(ran).toMatchObject({ status: 3, stdout: "" });
      expect(isOneLine(ran.stderr), ran.stderr).toBe(true);
    });
  });

  test("ends with status 0 when it is asked to", async () => {
    const own = start(["serve", "--port", "0", "--home", join(home, "own")], home);
    await new Promise((resolve) => own.stdout.once("data", resolve));
    expect(await ended(own, "SIGTERM")).toBe(0);
  });

  test.each<{ it: string; args: () => string[]; says: string; before?: () => void }>([
    { it: "a port in use", args: () => ["--port", new URL(base).port], says: "serve.port_in_use" },
    { it: "a port that is none", args: () => ["--port", "84o2"], says: "this is not a port" },
    { it: "a port beyond all ports", args: () => ["--port", "65536"], says: "this is not a port" },
    {
      it: "an address that others reach, and no keys",
      args: () => ["--host", "0.0.0.0", "--home", "keyless"],
      says: "serve.no_keys",
    },
    {
      it: "a policy that does not parse",
      args: () => ["--policy", "bad.yaml"],
      says: "policy.unknown_key",
      before: () => writeFileSync(join(home, "bad.yaml"), "mandat: {}"),
    },
    { it: "a policy that is missing", args: () => ["--policy", "none.yaml"], says: "there is no such file" },
    {
      it: "a key file that others may read",
      args: () => ["--home", "loose"],
      says: "keys.loose_permissions",
      before: () => {
        countersign(["init", "--home", "loose"], "", home);
        chmodSync(join(home, "loose/keys/receipts.json"), 0o644);
      },
    },
  ])("is not started with $it: one clear line, status 3", ({ args, says, before }) => {
    before?.();
    const ran = countersign(["serve", "--port", "0", ...args()], "", home);
    expect(ran).toMatchObject({ status: 3, stdout: "" });
    expect(ran.stderr).toContain(says);
    expect(isOneLine(ran.stderr), ran.stderr).toBe(true);
  });
});

const ended = (child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> =>
  new Promise((resolve) => {
    child.once("close", resolve);
    child.kill(signal);
  });

describe("mcp", () => {
  const exchange = (args: string[], ...messages: object[]) => {
    const ran = countersign(
      ["mcp", ...args],
      messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""),
      folder,
    );
    return {
      ...ran,
      answers: ran.stdout
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line)),
    };
  };
  const INITIALIZE = {
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  };

  test("serves every tool on stdin and stdout, and ends with stdin", () => {
    const { status, stderr, answers } = exchange(
      [],
      INITIALIZE,
      { method: "notifications/initialized" },
      { id: 1, method: "tools/list" },
      {
        id: 2,
        method: "tools/call",
        params: { name: "trust_check_spend", arguments: { amount: 4, remaining_budget: 3 } },
      },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const names = answers.find(({ id }) => id === 1).result.tools.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(["decide", "trust_check_action", "check_action", "action_gate"]));
    expect(answers.find(({ id }) => id === 2).result.structuredContent.verdict).toBe("BLOCK");
  });

  test("serves the tools of one dialect", () => {
    const { answers } = exchange(
      ["--dialect", "mandate"],
      INITIALIZE,
      { method: "notifications/initialized" },
      { id: 1, method: "tools/list" },
    );
    const names = answers.find(({ id }) => id === 1).result.tools.map(({ name }: { name: string }) => name);
    expect(names).toEqual(["check_action", "validate_mandate"]);
  });

  test("names the dialect that was meant", () => {
    const { status, stderr } = exchange(["--dialect", "mandat"]);
    expect(status).toBe(3);
    expect(stderr).toContain("did you mean mandate?");
    expect(isOneLine(stderr)).toBe(true);
  });
});
