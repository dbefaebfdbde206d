import type { JsonObject } from "@countersign/core";
import type { FastifyInstance } from "fastify";

/** Key documents, read anew on each request so that a rotation shows at once. */
export interface KeyDocuments {
  /** Keys that sign receipts, as RFC 7517 has them. The keys of advice are not among them. */
  jwks(): JsonObject;
  /** Keys that sign advice. */
  adviceJwks(): JsonObject;
  /** Keys that sign the receipts of the mandate dialect, as its readers expect them. */
  mandateKeys(): JsonObject;
}

export const KEY_PATHS = {
  jwks: "/.well-known/jwks.json",
  adviceJwks: "/.well-known/countersign-advice-keys.json",
  mandateKeys: "/.well-known/hanria-receipt-keys.json",
} as const satisfies Record<keyof KeyDocuments, string>;

export function mountKeys(app: FastifyInstance, documents: KeyDocuments): void {
  for (const [name, path] of Object.entries(KEY_PATHS) as [keyof KeyDocuments, string][]) {
    app.get(path, (_, reply) =>
      reply
        .header("content-type", "application/json")
        .header("cache-control", "public, max-age=60")
        .send(JSON.stringify(documents[name]())),
    );
  }
}
