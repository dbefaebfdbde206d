import type { Finding } from "../../decision/finding.ts";
import type { EffectivePolicy, SchemaContract } from "../../policy/effective.ts";
import { quoted } from "../../text/quoted.ts";
import type { Check } from "../check.ts";
import type { SchemaCache } from "./cache.ts";
import { schemaFindings } from "./judge.ts";

/** Every contract in force that is a JSON Schema judges the data that came along. */
export const schemas: Check = {
  name: "schema",
  needs: () => [],
  judge({ action, material }, policy) {
    return policy.schemas.flatMap((contract) => {
      const data = material?.data;
      const required = action !== undefined && contract.requiredFor.includes(action.kind);
      if (data === undefined) return required ? [missing(contract)] : [];
      const { compiled } = contract;
      if (compiled === null) return [unjudged(contract, "schema.not_compiled")];
      if ("code" in compiled) return [unjudged(contract, compiled.code)];
      const of = ` (contract ${quoted(contract.id)} of ${quoted(contract.scope)})`;
      return schemaFindings(compiled, data, "/material/data").map((one) => ({ ...one, message: one.message + of }));
    });
  },
};

const missing = ({ id, scope }: SchemaContract): Finding => ({
  check: "schema",
  code: "schema.data_missing",
  severity: "block",
  path: "/material/data",
  message: `contract ${quoted(id)} of ${quoted(scope)} needs the data`,
  expected: "the data",
  retry: "changed",
});

const unjudged = ({ id, scope }: SchemaContract, code: string): Finding => ({
  check: "schema",
  code,
  severity: "block",
  path: "/material/data",
  message: `contract ${quoted(id)} of ${quoted(scope)} cannot judge the data`,
  retry: "later",
});

const ready = new WeakMap<EffectivePolicy, Promise<EffectivePolicy>>();

/** The policy with its schemas compiled, each policy once. One that does not compile stays and blocks. */
export function withCompiledSchemas(policy: EffectivePolicy, cache: SchemaCache): Promise<EffectivePolicy> {
  if (policy.schemas.every(({ compiled }) => compiled !== null)) return Promise.resolve(policy);
  const known = ready.get(policy);
  if (known !== undefined) return known;
  const compiling = Promise.all(
    policy.schemas.map(async (contract) => {
      const compiled = await cache.compile(contract.schema);
      return { ...contract, compiled: compiled.ok ? compiled.value : compiled.error };
    }),
  ).then((schemas) => ({ ...policy, schemas }));
  ready.set(policy, compiling);
  return compiling;
}
