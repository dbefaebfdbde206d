import type { Check } from "../check.ts";

/** Every contract in force judges the data that came along. */
export const fields: Check = {
  name: "fields",
  needs: () => [],
  judge({ action, material }, policy) {
    return policy.contracts.flatMap(({ scope, id, fields: prepared, requiredFor }) => {
      const data = material?.data;
      const required = action !== undefined && requiredFor.includes(action.kind);
      if (data === undefined && !required) return [];
      const of = ` (contract ${id} of ${scope})`;
      return prepared.judge(data ?? {}).map(({ check, code, severity, path, message, expected, retry }) => {
        const told = { check, code, severity, path: `/material/data${path ?? ""}`, message: message + of, retry };
        return expected === undefined ? told : { ...told, expected };
      });
    });
  },
};
