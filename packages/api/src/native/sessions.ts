import { formatInstant, instantFromMillis, type JsonObject, type Session } from "@countersign/core";
import * as z from "zod/mini";
import { idOf, operation, time } from "./operation.ts";
import { described, name } from "./schema.ts";

export const openSession = operation(
  {
    name: "open_session",
    title: "Open a session",
    description:
      "For an enforcer that holds conversations apart. Asks that name it as `session`, with the credential that opened it and for this agent, are judged by what was done in it: rules over a sequence look no further. It lasts a day; after that, and under any name that was not given here, all counts that the credential did.",
    needs: ["enforce"],
    changes: "the log",
  },
  ["POST", "/v1/sessions"],
  z.strictObject({ agent: described(name(128), "One that the credential may speak for.") }),
  z.strictObject({ id: idOf("ses"), agent: z.string(), expires_at: time }),
);

export const writeSession = ({ id, expiresAt }: Session, agent: string): JsonObject => ({
  id,
  agent,
  expires_at: formatInstant(instantFromMillis(expiresAt)),
});
