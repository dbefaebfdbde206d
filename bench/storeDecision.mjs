/** A decision as a gate commits it; its record in the log is about 1 KiB. */
const body = JSON.stringify({ facts: "f".repeat(480) });
let made = 0;

export function decision(prefix = "0194f3c2-0000-7000") {
  made += 1;
  return {
    kind: "decide",
    id: `dec_${prefix}-8000-${String(made).padStart(12, "0")}`,
    agent: "shopper",
    credential: "key_0194f3c2-1111-7222-8333-444455556666",
    verdict: "allow",
    actionDigest: `sha256:${"a".repeat(64)}`,
    policyDigest: `sha256:${"b".repeat(64)}`,
    record: body,
    codes: [],
    scopes: ["tenant", "org:acme", "agent:shopper"],
    redeemFor: 300_000,
    reservations: [],
  };
}

export function must(result) {
  if (!result.ok) throw new Error(result.error.code);
  return result.value;
}
