import type { Action } from "../../action/action.ts";
import { holdsUnseen, normaliseTarget } from "../../action/target.ts";
import { folded } from "../../policy/fold.ts";

/** A label that says by which tool a call was made: the face that saw the call writes it. */
export const TOOL_LABEL = "tool:";

/**
 * Every name under which an action may be forbidden, folded: the verb, the tool's name, `verb target` with the target as
 * written and in normal form, and `verb:label`.
 */
export function operationNames({ verb, target, labels = [] }: Action): readonly string[] {
  const normal = normaliseTarget(target);
  const names = [
    verb,
    `${verb} ${target}`,
    ...(normal.ok ? [`${verb} ${normal.value.normal}`] : []),
    ...labels.flatMap((label) =>
      label.startsWith(TOOL_LABEL) ? [label.slice(TOOL_LABEL.length)] : [`${verb}:${label}`],
    ),
  ];
  return [...new Set(names.map(folded))];
}

/** Verbs and names of tools, folded. */
const NAME = /^[a-z0-9._:/-]*$/;
const LONGEST_NAME = 128;

/** Whether some action has a name that matches the pattern. A pattern that nothing can match protects nothing. */
export function canProduce(pattern: string): boolean {
  const text = folded(pattern);
  // No target and no label may hold what nobody sees.
  if (text === "" || holdsUnseen(text)) return false;
  const literal = text.replaceAll("*", "");
  if (NAME.test(literal) && literal.length <= LONGEST_NAME) return true;
  // Up to the first "*" or space there is a verb; "*" can be the rest of it, the space, and whatever follows.
  const [, verb = "", then = ""] = /^([^* ]*)([* ]?)/.exec(text) ?? [];
  if (!/^[a-z0-9._:-]{0,64}$/.test(verb)) return /^[a-z0-9._-][a-z0-9._:-]{0,63}:./u.test(text);
  return then === "*" || (then === " " && verb !== "" && text.length > verb.length + 1);
}
