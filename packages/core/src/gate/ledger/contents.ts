import type { ContentRow } from "./rows.ts";
import type { Work } from "./work.ts";

/** Asks for what is kept beside a record, and for the rows that find it by whom it is about. */
export function wantContent(ref: string, work: Work): void {
  for (const subject of work.want("contents", ref)?.subjects ?? []) work.want("subjects", subjectKey(subject, ref));
}

export function removeContent(content: ContentRow, work: Work): void {
  work.remove("contents", content.ref);
  for (const subject of content.subjects) work.remove("subjects", subjectKey(subject, content.ref));
}

/** Where the digests that an outcome told lie, beside the content of its decision. */
export const outcomeRef = (decision: string): string => `${decision}/outcome`;

export const subjectKey = (subject: string, ref: string): string => `${ref}\n${subject}`;
