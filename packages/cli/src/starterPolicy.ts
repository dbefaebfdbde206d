/** What `init` writes: small, and denying whatever it does not name. */
export const STARTER_POLICY = `# What agents may do here. Whatever no clause names is blocked.
# Try it:  echo '{"action":{"kind":"file","verb":"read","target":"/work/a.txt"}}' | countersign check - --policy policy.yaml
mandate:
  default: block
  # Actions of these kinds always wait for a person, also where a clause allows them.
  requires_human: [administrative, credential_use]
  # The first clause that matches decides.
  clauses:
    - id: no-secrets
      effect: block
      match: { kind: [file], target_prefix: [/work/secrets/] }
      note: Nothing an agent does needs these.
    - id: work-files
      effect: allow
      match: { kind: [file], verb: [read, write], target_prefix: [/work/] }
    - id: deletions
      effect: review
      match: { kind: [file], verb: [delete], target_prefix: [/work/] }
    - id: small-payments
      effect: allow
      match:
        kind: [transaction]
        verb: [pay]
        max_amount: { value: "25.00", currency: USD }
    - id: other-payments
      effect: review
      match: { kind: [transaction], verb: [pay] }

# Limits on money hold whatever the mandate says. A currency that is not named here is blocked.
spend:
  ceilings:
    - { value: "100.00", currency: USD }
  budgets:
    - id: daily
      per: agent
      window: { rolling: P1D }
      currency: USD
      max: "200.00"

# Texts that come with an action are searched for instructions to the agent.
screening:
  mode: enforce

# URLs that come with an action. Private addresses are blocked in every spelling.
network:
  schemes: [https]
`;
