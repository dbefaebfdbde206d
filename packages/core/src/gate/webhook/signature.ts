import { encodeUtf8 } from "../../json/utf8.ts";
import { encodeBase64 } from "../../record/base64.ts";
import { hmacSha256 } from "../../record/commitment.ts";
import type { Sha256 } from "../../record/merkle.ts";
import type { TenantId, Webhook } from "../ports.ts";

/**
 * The secret of an endpoint, as Standard Webhooks spells one. Derived from the gate's key for webhooks, so that none is
 * stored: it is shown when the endpoint is made, and raising the version makes another one.
 */
export function webhookSecret(
  key: Uint8Array,
  tenant: TenantId,
  { id, secretVersion }: Pick<Webhook, "id" | "secretVersion">,
  sha256: Sha256,
): string {
  return `whsec_${encodeBase64(secretBytes(key, tenant, id, secretVersion, sha256))}`;
}

/**
 * The headers of one try. After a rotation the version before signs too, so that a receiver may change its secret when
 * it likes.
 */
export function webhookHeaders(
  message: { readonly id: string; readonly seconds: number; readonly body: string },
  key: Uint8Array,
  tenant: TenantId,
  { id, secretVersion }: Pick<Webhook, "id" | "secretVersion">,
  sha256: Sha256,
): Record<string, string> {
  const content = encodeUtf8(`${message.id}.${message.seconds}.${message.body}`);
  const versions = secretVersion > 1 ? [secretVersion, secretVersion - 1] : [secretVersion];
  const signatures = versions.map((version) => {
    const secret = secretBytes(key, tenant, id, version, sha256);
    return `v1,${encodeBase64(hmacSha256(secret, content, sha256))}`;
  });
  return {
    "content-type": "application/json",
    "webhook-id": message.id,
    "webhook-timestamp": String(message.seconds),
    "webhook-signature": signatures.join(" "),
  };
}

const secretBytes = (key: Uint8Array, tenant: string, id: string, version: number, sha256: Sha256): Uint8Array =>
  hmacSha256(key, encodeUtf8(`countersign-webhook-v1\n${tenant}\n${id}\n${version}`), sha256);
