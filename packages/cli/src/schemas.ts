import { createSchemaCache, type EffectivePolicy, type SchemaCache, withCompiledSchemas } from "@countersign/core";

/** As many as one document may hold. */
const KEPT = 100;

let cache: SchemaCache | undefined;

/** The policy with its JSON Schemas ready to judge, as a gate has it. */
export function compiledPolicy(policy: EffectivePolicy): Promise<EffectivePolicy> {
  if (policy.schemas.length === 0) return Promise.resolve(policy);
  cache ??= createSchemaCache(KEPT);
  return withCompiledSchemas(policy, cache);
}
