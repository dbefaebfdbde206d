/**
 * Where the near-misses of an agent are remembered. Three are all that is ever asked for, so there are three places, and a
 * new one takes a place that is free or the one that holds the oldest.
 */
export const NEAR_MISS_PLACES = ["near_miss.0", "near_miss.1", "near_miss.2"] as const;
