import { encodeUtf8 } from "../json/utf8.ts";
import { leafHash, type Sha256 } from "./merkle.ts";

/** SHA-256 as a runtime hands it in. */
export interface TextHashing {
  readonly sha256: Sha256;
  /** Of the UTF-8 of a text, where the runtime has a shorter way than through bytes. */
  readonly sha256Text?: (text: string) => Uint8Array;
}

/** The leaf hash of a record as text. The byte 0 that stands before a leaf is the character U+0000 in UTF-8. */
export const textLeafHash = (record: string, { sha256, sha256Text }: TextHashing): Uint8Array =>
  sha256Text?.(`\0${record}`) ?? leafHash(encodeUtf8(record), sha256);
