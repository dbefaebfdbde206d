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
      return prepared.judge(data ?? {}).map(({ check, code, severity, path, message, expected, retry }) => ({
        check,
        code,
        severity,
        path: `/material/data${path ?? ""}`,
        message: `${message} (contract ${id} of ${scope})`,
        ...(expected === undefined ? {} : { expected }),
        retry,
      }));
    });
  },
};
