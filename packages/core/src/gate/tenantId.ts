/** Whether this names a tenant: `[a-z0-9][a-z0-9-]{0,62}`. Nothing else reaches a store as one. */
export const isTenantId = (text: unknown): text is string =>
  typeof text === "string" && /^[a-z0-9][a-z0-9-]{0,62}$/.test(text);
