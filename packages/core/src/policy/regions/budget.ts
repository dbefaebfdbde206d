/** How far an analysis may go. Counted and not timed, so that the same policies give the same answer everywhere. */
export interface RegionLimits {
  /** Parts into which the actions may split. */
  readonly regions: number;
  /** Looks at one rule or one name: about a hundred million fit into a second. */
  readonly work: number;
}

export const REGION_LIMITS: RegionLimits = { regions: 100_000, work: 20_000_000 };

/** Thrown inside this folder only, where a bound is passed. */
export class Exhausted extends Error {
  readonly bound: keyof RegionLimits;

  constructor(bound: keyof RegionLimits) {
    super(`more ${bound} than are looked at`);
    this.bound = bound;
  }
}

/** What is left of the limits. */
export class WorkBudget {
  regions = 0;
  #work = 0;
  readonly #limits: RegionLimits;

  constructor(limits: RegionLimits) {
    this.#limits = limits;
  }

  work(steps: number): void {
    this.#work += steps;
    if (this.#work > this.#limits.work) throw new Exhausted("work");
  }

  region(): void {
    this.regions += 1;
    if (this.regions > this.#limits.regions) throw new Exhausted("regions");
  }
}
