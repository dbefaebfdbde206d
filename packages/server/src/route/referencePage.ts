import type { JsonObject, JsonValue } from "@countersign/core";
import { isObject } from "@countersign/core";
import type { Operation } from "./operation.ts";

/** The reference as one page without scripts: every operation, its fields, and the whole schema behind a fold. */
export function referencePage(version: string, operations: readonly Operation[]): string {
  const groups = [...new Set(operations.map(({ group }) => group))];
  const list = groups
    .map(
      (group) =>
        `<li><b>${text(group)}</b><ul>${of(operations, group)
          .map((one) => `<li><a href="#${anchor(one)}">${text(one.title)}</a></li>`)
          .join("")}</ul></li>`,
    )
    .join("");
  const body = groups.map((group) => `<h2>${text(group)}</h2>${of(operations, group).map(section).join("")}`).join("");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Countersign reference</title><style>${STYLE}</style></head><body><nav><h1>Countersign <small>${text(version)}</small></h1><ul>${list}</ul><p><a href="/openapi.json">openapi.json</a></p></nav><main><p class="lead">Ask before you act. Continue only on the answer that allows it; treat every error as block. Errors are <code>application/problem+json</code> with a <code>code</code>, and a <code>path</code> and what was <code>expected</code> where they are known.</p>${body}</main></body></html>`;
}

const of = (operations: readonly Operation[], group: string) => operations.filter((one) => one.group === group);

const anchor = ({ method, path }: Operation): string => text(`${method}${path}`.replace(/[^A-Za-z0-9]+/g, "-"));

const PRICED =
  "<p>This has a price and needs no credential: an unpaid call is answered with 402 and the terms (x402, version 2).</p>";

function section(operation: Operation): string {
  const { method, path, title, description, input, output, sold } = operation;
  return `<section id="${anchor(operation)}"><h3>${text(title)}</h3><p class="route"><span class="${method.toLowerCase()}">${method}</span> <code>${text(path)}</code></p><p>${text(description)}</p>${sold ? PRICED : ""}${input === null ? "" : part("Request", input)}${part("Answer", output)}</section>`;
}

const part = (name: string, schema: JsonObject): string =>
  `<h4>${name}</h4>${fields(schema)}<details><summary>JSON Schema</summary><pre>${text(JSON.stringify(schema, null, 2))}</pre></details>`;

/** The members of an object schema, one level deep; deeper ones are in the schema below. */
function fields(schema: JsonObject): string {
  const properties = schema["properties"];
  if (!isObject(properties) || Object.keys(properties).length === 0) return "<p>No members.</p>";
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const rows = Object.entries(properties).map(([name, member]) => {
    const described = isObject(member) && typeof member["description"] === "string" ? member["description"] : "";
    return `<tr><td><code>${text(name)}</code>${required.includes(name) ? '<span class="req">required</span>' : ""}</td><td>${text(typeOf(member))}</td><td>${text(described)}</td></tr>`;
  });
  return `<table><tbody>${rows.join("")}</tbody></table>`;
}

function typeOf(schema: JsonValue): string {
  if (!isObject(schema)) return "any";
  const { type, const: constant, enum: values, items } = schema;
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (type === "array") return `${typeOf(items ?? null)}[]`;
  return Array.isArray(type) ? type.join(" | ") : typeof type === "string" ? type : "any";
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const text = (raw: string): string => raw.replace(/[&<>"']/g, (unit) => ESCAPES[unit] ?? unit);

const STYLE =
  ":root{color-scheme:light dark;--line:#8884;--dim:#888;--accent:#0b6bcb}*{box-sizing:border-box}body{margin:0;font:15px/1.5 system-ui,sans-serif;display:grid;grid-template-columns:18rem minmax(0,1fr)}nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.5rem;border-right:1px solid var(--line)}nav h1{font-size:1.1rem;margin:0 0 1rem}nav ul{list-style:none;padding:0;margin:0 0 .75rem}nav ul ul{padding-left:.75rem}small{color:var(--dim);font-weight:400}main{padding:1.5rem 2.5rem;max-width:60rem}.lead{font-size:1.05rem}h2{margin:2.5rem 0 0;border-bottom:1px solid var(--line);text-transform:capitalize}h3{margin:2rem 0 .25rem}h4{margin:1.25rem 0 .25rem}.route{margin:.25rem 0}.route span{font-weight:700;color:var(--accent)}table{border-collapse:collapse;width:100%}td{border-top:1px solid var(--line);padding:.4rem .75rem .4rem 0;vertical-align:top}td:first-child{white-space:nowrap}.req{color:var(--dim);font-size:.8em;margin-left:.5em}pre{overflow:auto;padding:1rem;background:#8881;border-radius:6px;font-size:13px}code{font-family:ui-monospace,monospace}a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}@media(max-width:50rem){body{display:block}nav{position:static;height:auto;border:0}main{padding:1rem}}";
