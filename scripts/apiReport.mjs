// Writes the public face of each package to etc/<package>.api.md; with --check, fails where it differs from what is kept.
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { Extractor, ExtractorConfig } from "@microsoft/api-extractor";

const check = process.argv.includes("--check");
mkdirSync("etc", { recursive: true });
let differs = false;
for (const name of readdirSync("packages")) {
  const folder = resolve("packages", name);
  if (!existsSync(`${folder}/dist/index.d.ts`)) continue;
  const config = ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: `${folder}/package.json`,
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: `${folder}/dist/index.d.ts`,
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            module: "nodenext",
            moduleResolution: "nodenext",
            target: "es2023",
            lib: ["es2023", "dom"],
            skipLibCheck: true,
          },
        },
      },
      apiReport: {
        enabled: true,
        reportFolder: resolve("etc"),
        reportTempFolder: resolve("temp/api"),
        reportFileName: `${name}.api.md`,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: "none" } },
        extractorMessageReporting: { default: { logLevel: "none" } },
        tsdocMessageReporting: { default: { logLevel: "none" } },
      },
    },
  });
  mkdirSync("temp/api", { recursive: true });
  const result = Extractor.invoke(config, {
    localBuild: !check,
    showVerboseMessages: false,
    messageCallback: (message) => (message.handled = true),
  });
  if (result.apiReportChanged) {
    differs = true;
    console.error(
      check
        ? `etc/${name}.api.md differs from the public face: run npm run api-report and review the diff`
        : `etc/${name}.api.md written`,
    );
  }
}
process.exit(check && differs ? 1 : 0);
