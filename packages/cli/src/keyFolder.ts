import { existsSync } from "node:fs";
import { join } from "node:path";
import { KEY_PURPOSES, type KeyError, type KeyPurpose } from "@countersign/server";
import { refuse } from "./exit.ts";

/** Where a gate keeps its signing keys below its home. */
export const keyFolder = (home: string): string => join(home, "keys");

/** The purposes that have a key file. */
export const purposesIn = (folder: string): readonly KeyPurpose[] =>
  KEY_PURPOSES.filter((purpose) => existsSync(join(folder, `${purpose}.json`)));

export const refuseKeys = ({ code, message, path, expected }: KeyError): never =>
  refuse({ code, message, expected }, path);
