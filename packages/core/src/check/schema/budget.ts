import type { EvaluationPlugin, ValidationContext } from "@hyperjump/json-schema/experimental";
import type { JsonNode } from "@hyperjump/json-schema/instance/experimental";
import type { SchemaBounds } from "./bounds.ts";

/** Thrown through the library, which has no other way to stop, and caught where the judgement began. */
export class BudgetPassed extends Error {}

const KEYWORD = "https://json-schema.org/keyword/";

/** Keywords that look at the whole value below them, not only at its members. */
const WHOLE = new Set(["const", "enum", "uniqueItems", "minLength", "maxLength"].map((name) => KEYWORD + name));

/** Counts what one judgement does, as a plugin of the library, and stops it at its bounds. */
export class Budget implements EvaluationPlugin {
  readonly #bounds: SchemaBounds;
  readonly #sizes = new Map<JsonNode, number>();
  #steps = 0;
  #patternSteps = 0;
  #depth = 0;

  constructor(bounds: SchemaBounds) {
    this.#bounds = bounds;
  }

  /** That of a judgement under way; none when the library validates a schema by itself. */
  static of(context: ValidationContext): Budget | undefined {
    return context.plugins.find((plugin) => plugin instanceof Budget);
  }

  beforeSchema(): void {
    this.#depth += 1;
    this.#steps += 1;
    if (this.#depth > this.#bounds.evaluationDepth) throw new BudgetPassed();
  }

  afterSchema(): void {
    this.#depth -= 1;
  }

  beforeKeyword(
    [id, , value]: Parameters<NonNullable<EvaluationPlugin["beforeKeyword"]>>[0],
    instance: JsonNode,
  ): void {
    this.#steps += 1 + (Array.isArray(value) ? value.length : 0);
    this.#steps += WHOLE.has(id) ? this.#sizeOf(instance) : instance.children.length;
    if (this.#steps > this.#bounds.steps) throw new BudgetPassed();
  }

  /** Before a pattern of `cost` is matched with a text. */
  payPattern(cost: number, text: string): void {
    this.#patternSteps += cost * (text.length + 1);
    if (this.#patternSteps > this.#bounds.patternSteps) throw new BudgetPassed();
  }

  /** Values, and a sixteenth of the characters of strings and names: what comparing a value costs. */
  #sizeOf(node: JsonNode): number {
    const known = this.#sizes.get(node);
    if (known !== undefined) return known;
    const { value } = node as { value?: unknown };
    let size = 1 + (typeof value === "string" ? value.length >> 4 : 0);
    for (const child of node.children) size += this.#sizeOf(child);
    this.#sizes.set(node, size);
    return size;
  }
}
