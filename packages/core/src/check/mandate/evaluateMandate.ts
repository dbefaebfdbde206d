import type { Clause } from "../../policy/mandate.ts";
import type { CompiledMandate, KindIndex } from "./compileMandate.ts";
import { decidedBy, decidedByDefault, type MandateResult } from "./mandateResult.ts";
import { NONE } from "./none.ts";
import { firstUnder } from "./prefixIndex.ts";
import type { Subject } from "./subject.ts";

/** What `evaluateByLoop` gives, at a cost that hardly depends on how many clauses there are. */
export function evaluateMandate(compiled: CompiledMandate, subject: Subject): MandateResult {
  const { mandate, byKind, byKindForOther } = compiled;
  const place = byKind.get(subject.kind);
  if (place === undefined) return decidedByDefault(mandate, subject, [], 0);
  let first = firstOfKind(place, subject, subject.written, NONE);
  if (subject.other !== subject.written) {
    const placeForOther = byKindForOther.get(subject.kind);
    if (placeForOther !== undefined) first = firstOfKind(placeForOther, subject, subject.other, first);
  }
  if (first === NONE) return decidedByDefault(mandate, subject, place.firstClauses, place.clauseCount);
  return decidedBy(mandate.clauses[first] as Clause, subject, mandate);
}

function firstOfKind({ anyVerb, byVerb }: KindIndex, subject: Subject, target: string, best: number): number {
  const found = firstUnder(anyVerb, subject, target, best);
  const ofVerb = byVerb.get(subject.verb);
  return ofVerb === undefined ? found : firstUnder(ofVerb, subject, target, found);
}
