import { redact } from "../check/credentials/redact.ts";

/** One thing that is wrong with a document. A document with problems is refused whole. */
export interface PolicyProblem {
  /** `policy.unknown_key`, `policy.wrong_type`, `policy.missing`, `policy.out_of_range`, `policy.duplicate_id`, … */
  readonly code: string;
  /** JSON Pointer into the document, without the secrets that names in it may be. */
  readonly path: string;
  readonly message: string;
  readonly expected?: string;
}

export type Report = (code: string, path: string, message: string, expected?: string) => void;

/** A document of a million mistakes is not answered with a million lines. */
export const MOST_PROBLEMS = 100;

/** Collects problems, at most so many. */
export function problemList(most = MOST_PROBLEMS): { readonly problems: PolicyProblem[]; readonly report: Report } {
  const problems: PolicyProblem[] = [];
  return {
    problems,
    report(code, path, message, expected) {
      if (problems.length < most)
        problems.push({ code, path: redact(path), message, ...(expected === undefined ? {} : { expected }) });
    },
  };
}
