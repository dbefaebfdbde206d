import type { JsonValue } from "../../json/value.ts";
import type { Limits, Scope } from "../effective.ts";
import type { Report } from "../problem.ts";
import { readInteger, readList, readObject, readSeconds } from "../reader.ts";

const LONGEST_WINDOW = 86_400;
const MOST_WINDOWS = 8;

/** `limits: {asks?: [{max, within}], texts?, text_length?, urls?, parameters_length?}` */
export function readLimits(value: JsonValue, path: string, report: Report, scope: Scope): Limits | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  const asks = object.optional("asks", (list, at) =>
    readList(list, at, report, MOST_WINDOWS, (item, itemAt) => {
      const inner = readObject(item, itemAt, report);
      if (inner === undefined) return undefined;
      const max = inner.required("max", (one, oneAt) => readInteger(one, oneAt, report, 1, 1_000_000), "how many");
      const within = inner.required("within", (one, oneAt) => readSeconds(one, oneAt, report, LONGEST_WINDOW), "PT1M");
      inner.close();
      return max === undefined || within === undefined ? undefined : { max, within };
    }),
  );
  const count = (key: string, most: number) => object.optional(key, (one, at) => readInteger(one, at, report, 0, most));
  const texts = count("texts", 256);
  const textLength = count("text_length", 1_048_576);
  const urls = count("urls", 256);
  const parametersLength = count("parameters_length", 1_048_576);
  object.close();
  return {
    scope,
    asks: asks ?? [],
    ...(texts === undefined ? {} : { texts }),
    ...(textLength === undefined ? {} : { textLength }),
    ...(urls === undefined ? {} : { urls }),
    ...(parametersLength === undefined ? {} : { parametersLength }),
  };
}
