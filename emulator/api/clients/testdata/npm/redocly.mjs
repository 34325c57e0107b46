// Lints OpenAPI documents with Redocly's recommended-strict rules, in which each warning is an error: node redocly.mjs FILE...
import { createConfig, lint } from '@redocly/openapi-core';

const config = await createConfig({ extends: ['recommended-strict'] });
let found = 0;
for (const ref of process.argv.slice(2)) {
  for (const { ruleId, severity, message, location } of await lint({ ref, config })) {
    found++;
    console.log(`${ref}: ${severity} ${ruleId}: ${message} (${location[0]?.pointer})`);
  }
}
process.exitCode = found > 0 ? 1 : 0;
