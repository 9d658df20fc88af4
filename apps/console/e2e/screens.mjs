/** Every main screen: it loads, says nothing wrong, passes axe-core, and fits 320 px in both themes. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openPage, signIn } from './browser.mjs'
import { root } from './server.mjs'

const screens = [
  ['home', '/', 'Overview'],
  ['trust', '/trust', 'Trust'],
  ['requests', '/gateway/requests', 'Requests'],
  ['playground', '/gateway/playground', 'Playground'],
  ['providers', '/gateway/providers', 'Providers'],
  ['alerts', '/aegis/alerts', 'Alerts'],
  ['approvals', '/aegis/approvals', 'Approvals'],
  ['MCP servers', '/aegis/mcp-servers', 'MCP servers'],
  ['posture', '/aegis/posture', 'Posture'],
  ['risk register', '/risk/register', 'Risk register'],
  ['frameworks', '/compliance/frameworks', 'Frameworks'],
  ['controls', '/compliance/controls', 'Controls'],
  ['users', '/iam/users', 'Users'],
  ['health', '/admin/health', 'Health'],
  ['audit log', '/admin/audit', 'Audit log'],
  ['settings', '/admin/settings', 'Settings'],
  ['all resources', '/modules', 'All resources'],
  ['one resource', '/modules/iam/users', 'Users'],
  ['API browser', '/docs', 'API'],
]
const narrow = ['/', '/gateway/requests', '/aegis/alerts', '/aegis/approvals', '/aegis/mcp-servers', '/docs']
const images = process.argv.includes('--images') ? join(root, 'docs/images') : null

export async function walkScreens(browser, { address, account, api }, checks) {
  const { page, context, complaints } = await openPage(browser, address, { colorScheme: 'dark' })
  await signIn(page, account)
  for (const [name, path, title] of screens) {
    await show(page, path, title)
    checks.equal(`errors on ${name}`, await page.locator('.problem').count(), 0)
    await checks.accessible(`${name}, dark`, page)
  }
  await details(page, api, checks)
  await show(page, '/', 'Overview')
  await page.getByRole('button', { name: 'Use the light theme' }).click()
  for (const [name, path, title] of screens.slice(0, 6)) {
    await show(page, path, title)
    await checks.accessible(`${name}, light`, page)
  }
  await page.setViewportSize({ width: 320, height: 640 })
  for (const path of narrow) {
    await show(page, path, screens.find(([, one]) => one === path)[2])
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    checks.expect(`${path} fits 320 px`, wide <= 320, `(${wide} px)`)
  }
  checks.equal('complaints of the screens', complaints.join('\n'), '')
  await context.close()
}

async function show(page, path, title) {
  await page.goto(path)
  await page.getByRole('heading', { name: title, exact: true, level: 1 }).waitFor()
  await page.waitForFunction(() => document.querySelector('.skeleton') === null)
}

async function details(page, api, checks) {
  const call = (await api.get('/gateway/requests?decision=blocked&limit=1')).data[0]
  const risk = (await api.get('/risk/register?limit=1')).data[0]
  await page.goto(`/gateway/requests/${call.id}`)
  await page.locator('.step').first().waitFor()
  await checks.accessible('request trace', page)
  if (images !== null) {
    mkdirSync(images, { recursive: true })
    await page.screenshot({ path: join(images, 'trace.png') })
    await page.goto('/')
    await page.locator('.live[data-at="live"]').waitFor()
    await page.waitForFunction(() => document.querySelector('.skeleton') === null)
    await page.screenshot({ path: join(images, 'overview.png') })
  }
  if (risk === undefined) return
  await page.goto(`/risk/register/${risk.id}`)
  await page.getByRole('dialog').getByRole('heading', { name: 'Loss exceedance' }).waitFor()
  await checks.accessible('risk', page)
}
