import { type JsonLimits, jsonLimits } from "../json/parseJson.ts";

/** What a policy document may take: ten thousand clauses of the platform fit. Nothing is saved that could not be read again. */
export const documentLimits: JsonLimits = { ...jsonLimits, bytes: 8 << 20 };
