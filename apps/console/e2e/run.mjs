/**
 * The console in a browser, against the demo of the built server.
 *
 *   npm run build && node apps/console/e2e/run.mjs [--images]
 *
 * Ends with 0 when all held. `--images` writes the pictures of docs/images anew.
 */
import { accounts } from './auth.mjs'
import { openBrowser } from './browser.mjs'
import { budget } from './budget.mjs'
import { createChecks } from './checks.mjs'
import { firewall } from './firewall.mjs'
import { journey } from './journey.mjs'
import { walkScreens } from './screens.mjs'
import { startDemo } from './server.mjs'
import { states } from './states.mjs'
import { triage } from './triage.mjs'

const checks = createChecks()
const demo = await startDemo()
const browser = await openBrowser().catch(async (error) => {
  await demo.stop()
  throw error
})
for (const part of [journey, accounts, firewall, triage, states, walkScreens, budget]) {
  await part(browser, demo, checks).catch((error) => checks.expect(`${part.name} goes through`, false, error.stack))
}
await browser.close()
await demo.stop()
process.exitCode = checks.finish() ? 0 : 1
