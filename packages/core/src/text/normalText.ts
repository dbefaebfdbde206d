export type NormalForm = "NFC" | "NFD" | "NFKC" | "NFKD";

/** Engines order marks by insertion, which below this length costs less than looking. */
const LONG = 1_024;

/** What can have a combining class, in any form: marks, and two letters whose compatibility form is a mark. */
const MARKS = /[\p{M}\uff9e\uff9f]+/gu;

/**
 * `text.normalize(form)` in time linear in the text. Engines take quadratic time for a long run of marks that are out of
 * order, minutes for a megabyte; such a run is put in order before the engine sees it. Source: Unicode 17, section 3.11.
 */
export function normalText(text: string, form: NormalForm): string {
  if (text.length < LONG) return text.normalize(form);
  const ordered = text.replace(MARKS, (run) => (run.length < LONG ? run : inOrder(run, form)));
  return ordered.normalize(form);
}

function inOrder(run: string, form: NormalForm): string {
  const decomposed = form === "NFKC" || form === "NFKD" ? "NFKD" : "NFD";
  const parts: string[] = [];
  let byClass = new Map<string, string[]>();
  const flush = () => {
    for (const one of classes) for (const mark of byClass.get(one) ?? []) parts.push(mark);
    byClass = new Map();
  };
  for (const character of run)
    for (const mark of character.normalize(decomposed)) {
      const one = classOf(mark);
      if (one === null) {
        if (byClass.size > 0) flush();
        parts.push(mark);
      } else {
        const same = byClass.get(one);
        if (same === undefined) byClass.set(one, [mark]);
        else same.push(mark);
      }
    }
  flush();
  return parts.join("");
}

/** One mark of each combining class that was met, in the order of the classes, of which there are some fifty. */
const classes: string[] = [];
const known = new Map<string, string | null>();

/** The mark that stands for the combining class of this one. Null is a mark that others do not pass. */
function classOf(mark: string): string | null {
  const before = known.get(mark);
  if (before !== undefined) return before;
  const found = isPassed(mark) ? classAmong(mark) : null;
  known.set(mark, found);
  return found;
}

function classAmong(mark: string): string {
  let from = 0;
  let to = classes.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const one = classes[middle] as string;
    if (passes(mark, one)) to = middle;
    else if (passes(one, mark)) from = middle + 1;
    else return one;
  }
  classes.splice(from, 0, mark);
  return mark;
}

/** Of the lowest class there is, and of the highest. */
const LOWEST = "\u0334";
const HIGHEST = "\u0345";

const isPassed = (mark: string): boolean => passes(LOWEST, mark) || passes(mark, HIGHEST);

/** Whether the engine puts `second` before `first`. Both are decomposed, so that nothing else can change. */
const passes = (second: string, first: string): boolean => (first + second).normalize("NFD") !== first + second;
