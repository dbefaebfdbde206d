import type { StoreError } from "@countersign/core";

const MESSAGES: Readonly<Record<StoreError["code"], string>> = {
  "store.unavailable": "the database cannot be reached",
  "store.busy": "the database is busy",
  "store.full": "the disk is full",
  "store.read_only": "the database cannot be written",
  "store.corrupt": "the database file is damaged",
  "store.in_doubt": "it is not known whether the change was made",
  "store.newer": "the database was made by a later version of this program",
  "store.other_secret": "the database belongs to a gate with another secret",
  "store.closed": "the store is closed",
  "store.refused_input": "the store cannot keep this input",
};

export const storeError = (code: StoreError["code"]): StoreError => ({ code, message: MESSAGES[code] });
