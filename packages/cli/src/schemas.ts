import {
  createSchemaCache,
  type EffectivePolicy,
  type PolicyPart,
  type SchemaCache,
  withCompiledSchemas,
} from "@countersign/core";

/** As many as one document may hold. */
const KEPT = 100;

let cache: SchemaCache | undefined;

const schemaCache = (): SchemaCache => {
  cache ??= createSchemaCache(KEPT);
  return cache;
};

/** The policy with its JSON Schemas ready to judge, as a gate has it. */
export const compiledPolicy = (policy: EffectivePolicy): Promise<EffectivePolicy> =>
  policy.schemas.length === 0 ? Promise.resolve(policy) : withCompiledSchemas(policy, schemaCache());

/** The same for one document, before it is composed with others in several ways. */
export async function compiledPart(part: PolicyPart): Promise<PolicyPart> {
  const { contracts } = part.sections;
  if (contracts === undefined || contracts.schemas.length === 0) return part;
  const schemas = await Promise.all(
    contracts.schemas.map(async (contract) => {
      const compiled = await schemaCache().compile(contract.schema);
      return { ...contract, compiled: compiled.ok ? compiled.value : compiled.error };
    }),
  );
  return { ...part, sections: { ...part.sections, contracts: { ...contracts, schemas } } };
}
