import type { Check } from "../check.ts";
import { judgeUrl } from "./judgeUrl.ts";
import { DEFAULT_URL_POLICY } from "./urlPolicy.ts";

/** Every URL in the material is judged, under the shipped rules where the operator wrote none. */
export const urls: Check = {
  name: "url",
  needs: () => [],
  judge: ({ material }, policy) =>
    (material?.urls ?? []).flatMap((url, index) =>
      judgeUrl(url, policy.network ?? DEFAULT_URL_POLICY).findings.map((finding) => ({
        ...finding,
        path: `/material/urls/${index}`,
      })),
    ),
};
