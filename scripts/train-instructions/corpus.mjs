// The corpora as rows with origins. What is left out of training, and why, is said here and nowhere else.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const CORPUS =
  process.env.COUNTERSIGN_SHARED === undefined
    ? fileURLToPath(new URL("../../../shared/corpora/injection/", import.meta.url))
    : `${process.env.COUNTERSIGN_SHARED}/corpora/injection/`;

/** Where a text comes from. A composed row has two origins: its carrier's and its payload's. */
const ORIGINS = [
  ["asb", /ASB/],
  ["piarena", /PIArena/],
  ["tasktracker", /TaskTracker/],
  ["neuralchemy", /neuralchemy/],
  ["multilingual", /own multilingual/],
  ["hinglish", /hinglish/],
  ["pib", /Prompt_INJECTION_And_Benign/],
  ["wild", /verazuo|TrustAIRLab/],
  ["jailbreakbench", /JailbreakBench/],
  ["piguard", /PIGuard/],
  ["gptfuzz", /GPTFuzz/],
  ["compact", /compact-jailbreaks/],
  ["bfcl", /BFCL/],
  ["apizoo", /apizoo/],
  ["banking77", /banking77/],
  ["clinc150", /clinc150/],
  ["sms", /SMS Spam/],
  ["spamassassin", /SpamAssassin/],
  ["t0", /T0\/P3/],
  ["self-instruct", /^yizhongw\/self-instruct/],
  ["npm-readme", /npm (?:package )?READMEs/],
  ["npm-source", /npm (?:package )?sources/],
  ["owasp", /OWASP/],
  ["payloads", /PayloadsAllTheThings/],
  ["cursorrules", /cursorrules/],
  ["xquad", /xquad/],
  ["synthetic", /synthetic/],
];

export const ORIGIN_NAMES = ORIGINS.map(([name]) => name);

const originsOf = (source) => ORIGINS.filter(([, pattern]) => pattern.test(source)).map(([name]) => name);

/** The attack half of a composed row is what a fold must not have seen; its carrier only matters for false alarms. */
function payloadOrigin(source) {
  const composed = /\+ (.+?) payload/.exec(source);
  return originsOf(composed?.[1] ?? source)[0] ?? source;
}

/**
 * Families that ask a chat model for forbidden things, or hold shell strings and questions: they carry label 1, and nothing of an instruction
 * that intrudes. A model that learns them calls ordinary requests attacks.
 */
const OTHER_POLICY =
  /^(?:jbb-|hinglish-|wild-jailbreak|nc-jailbreak|nc-crescendo|nc-control|nc-model_fingerprinting|nc-training_extraction|nc-chain_of_thought|nc-many_shot|pib-code_execution|pib-obfuscation|pib-data_leakage|jailbreak-curated|gptfuzz|tasktracker-pair|piguard-valid)/;

/** Chat jailbreaks are a matter of policy; they are reported apart and do not steer. */
export const isChatJailbreak = (row) => row.label === 1 && OTHER_POLICY.test(row.family);

export function readRows(name) {
  const rows = [];
  for (const line of readFileSync(`${CORPUS}${name}.jsonl`, "utf8").split("\n")) {
    if (line === "") continue;
    const { id, text, label, source, family, lang, span } = JSON.parse(line);
    rows.push({
      id,
      text,
      label,
      source,
      family,
      lang,
      span: span && inUnits(text, span),
      origins: originsOf(source),
      payload: payloadOrigin(source),
      part: name,
    });
  }
  return rows;
}

/** Spans of the corpora count code points. */
function inUnits(text, [start, end]) {
  let units = 0;
  let points = 0;
  let from = 0;
  for (const character of text) {
    if (points === start) from = units;
    if (points === end) return [from, units];
    units += character.length;
    points += 1;
  }
  return [from, units];
}
