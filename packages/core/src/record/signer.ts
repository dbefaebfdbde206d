/**
 * Signs with one Ed25519 key (RFC 8032). The key stays where it is: in a file, a key service or a hardware module.
 * Receipts, advice, checkpoints, webhooks and the mandate dialect each have a signer of their own, and a signer is never
 * handed to another purpose: what one key signs must not be readable as what another one would have said.
 */
export interface Signer {
  /** Names the key in the published key list. */
  readonly kid: string;
  /**
   * The 64 bytes of the signature over exactly these bytes. Rejects when the key cannot be used; the gate then answers
   * block, as nothing is permitted that is not signed.
   */
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}
