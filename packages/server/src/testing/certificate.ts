import { generateKeyPairSync, sign } from "node:crypto";

export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate that vouches for itself, for the names and IPv4 addresses given: made in the test, so that none expires. */
export function selfSigned(names: readonly string[]): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaSha256 = sequence(oid([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));
  const commonName = sequence(
    tagged(0x31, sequence(oid([0x55, 0x04, 0x03]), tagged(0x0c, Buffer.from("countersign test")))),
  );
  const day = 86_400_000;
  const validity = sequence(...[-day, day].map((offset) => tagged(0x17, Buffer.from(utcTime(Date.now() + offset)))));
  const alternatives = sequence(...names.map(generalName));
  const isAuthority = sequence(tagged(0x01, Buffer.from([0xff])));
  const extensions = sequence(
    sequence(oid([0x55, 0x1d, 0x11]), tagged(0x04, alternatives)),
    sequence(oid([0x55, 0x1d, 0x13]), tagged(0x01, Buffer.from([0xff])), tagged(0x04, isAuthority)),
  );
  const content = sequence(
    tagged(0xa0, integer([2])),
    integer([1]),
    ecdsaSha256,
    commonName,
    validity,
    commonName,
    publicKey.export({ type: "spki", format: "der" }),
    tagged(0xa3, extensions),
  );
  const signature = sign("sha256", content, privateKey);
  const der = sequence(content, ecdsaSha256, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function generalName(name: string): Buffer {
  const isAddress = /^\d+[.]\d+[.]\d+[.]\d+$/.test(name);
  return isAddress ? tagged(0x87, Buffer.from(name.split(".").map(Number))) : tagged(0x82, Buffer.from(name));
}

/** YYMMDDhhmmssZ. */
const utcTime = (millis: number): string => `${new Date(millis).toISOString().replace(/[-:T]/g, "").slice(2, 14)}Z`;

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts));
const integer = (bytes: readonly number[]): Buffer => tagged(0x02, Buffer.from(bytes));
const oid = (bytes: readonly number[]): Buffer => tagged(0x06, Buffer.from(bytes));

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
