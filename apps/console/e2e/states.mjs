/** People who may read only, a tenant without anything in it, and a call that fails under an open page. */
import { openPage, signIn } from './browser.mjs'
import { accept } from './server.mjs'

const pages = [
  ['/', 'Overview', null],
  ['/gateway/requests', 'Requests', 'gateway:read'],
  ['/aegis/alerts', 'Alerts', 'aegis:read'],
  ['/aegis/approvals', 'Approvals', 'aegis:read'],
  ['/aegis/mcp-servers', 'MCP servers', 'aegis:read'],
  ['/risk/register', 'Risk register', 'risk:read'],
  ['/compliance/controls', 'Controls', 'compliance:read'],
  ['/iam/users', 'Users', 'iam:read'],
  ['/admin/audit', 'Audit log', 'admin:read'],
]
const writes = /^(?:Approve|Deny|Acknowledge|Suppress|Resolve|Stop model calls|Assign)/

export async function states(browser, demo, checks) {
  await viewer(browser, demo, checks)
  await emptyTenant(browser, demo, checks)
  await brokenPanel(browser, demo, checks)
}

async function viewer(browser, { address, invite, as, api }, checks) {
  const person = await invite({ email: 'viewer@example.com', role: 'viewer' })
  const account = await person.accept()
  const { permissions } = (await (await as(account)).get('/auth/me')).data
  const { page, context, complaints } = await openPage(browser, address)
  await signIn(page, account)
  for (const [path, title, permission] of pages) {
    await show(page, path, title)
    const may = permission === null || permissions.includes(permission)
    const refused = page.getByText(`This needs the permission ${permission}`)
    if (!may) await refused.first().waitFor()
    checks.equal(`${path} names the permission that a viewer lacks`, (await refused.count()) > 0, !may)
    checks.equal(`writing buttons on ${path}`, await page.getByRole('button', { name: writes }).count(), 0)
    checks.equal(`errors of a viewer on ${path}`, await page.locator('.problem').count(), 0)
    await checks.accessible(`${path} of a viewer`, page)
  }
  const [alert] = (await api.get('/aegis/alerts?limit=1')).data
  await page.goto(`/aegis/alerts/${alert.id}`)
  await page.getByRole('dialog').getByRole('heading', { name: 'Facts' }).waitFor()
  checks.equal('writing buttons of an alert', await page.getByRole('button', { name: writes }).count(), 0)
  checks.equal('complaints of a viewer’s pages', complaints.join('\n'), '')
  await context.close()
}

async function emptyTenant(browser, { address, direct, mail, account, as }, checks) {
  const admin_email = 'owner@example.org'
  const api = await as(account)
  const made = await api.post('/iam/tenants', { name: 'Empty tenant', slug: 'empty-tenant', admin_email })
  checks.equal('an empty tenant is made', made.status, 201)
  const owner = await accept(direct, await mail.link(admin_email, 'invite'))
  const { page, context, complaints } = await openPage(browser, address, { colorScheme: 'dark' })
  await signIn(page, owner)
  for (const [path, title] of pages) {
    await show(page, path, title)
    checks.equal(`errors on ${path} of an empty tenant`, await page.locator('.problem').count(), 0)
    await checks.accessible(`${path} of an empty tenant`, page)
  }
  for (const path of ['/aegis/alerts', '/aegis/approvals', '/aegis/mcp-servers', '/risk/register']) {
    await page.goto(path)
    await page.locator('.panel .state').first().waitFor()
    checks.equal(`rows of ${path} of an empty tenant`, await page.locator('tbody tr').count(), 0)
  }
  checks.equal('complaints of the empty tenant', complaints.join('\n'), '')
  await context.close()
}

async function brokenPanel(browser, { address, account }, checks) {
  const { page, context, complaints } = await openPage(browser, address)
  const problem = { title: 'Internal Error', status: 500, detail: 'Made by a check.', error_code: 'API-500' }
  await page.route('**/api/v1/gateway/kill-switches*', (route) =>
    route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
  )
  await signIn(page, account)
  await page.locator('.problem').first().waitFor()
  checks.expect(
    'the failure is told',
    (await page.locator('.problem').first().innerText()).includes('Made by a check.'),
  )
  await page.getByTestId('trust-score').waitFor()
  checks.equal('other panels stay', await page.locator('.problem').count(), 1)
  await checks.accessible('a page with a broken panel', page)
  await page.unroute('**/api/v1/gateway/kill-switches*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Model calls are running').waitFor()
  checks.equal('trying again mends it', await page.locator('.problem').count(), 0)
  checks.equal('complaints with a broken panel', complaints.join('\n'), '')
  await context.close()
}

async function show(page, path, title) {
  await page.goto(path)
  await page.getByRole('heading', { name: title, exact: true, level: 1 }).waitFor()
  await page.waitForFunction(() => document.querySelector('.skeleton') === null)
}
