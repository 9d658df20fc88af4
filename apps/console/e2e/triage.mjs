/** Alerts by keyboard, given to another person, and suppressed. */
import { openPage, signIn } from './browser.mjs'

export async function triage(browser, { address, account, api }, checks) {
  const { page, context, complaints } = await openPage(browser, address)
  await signIn(page, account)
  await byKeys(page, checks)
  await assigned(page, api, checks)
  await suppressed(page, api, checks)
  checks.equal('complaints of the triage', complaints.join('\n'), '')
  await context.close()
}

const focused = (page) => page.evaluate(() => document.activeElement?.getAttribute('href') ?? '')

async function byKeys(page, checks) {
  await page.goto('/aegis/alerts')
  const links = page.locator('tbody a.row-link')
  await links.first().waitFor()
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  checks.expect('there are alerts to move through', hrefs.length > 1)
  await page.keyboard.press('j')
  checks.equal('j is at the first row', await focused(page), hrefs[0])
  await page.keyboard.press('j')
  checks.equal('j again is at the second', await focused(page), hrefs[1])
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('heading', { name: 'Triage' }).waitFor()
  checks.equal('Enter opens it', new URL(page.url()).pathname, hrefs[0])
  await page.keyboard.press('j')
  await page.waitForURL(`**${hrefs[1]}`)
  checks.expect('j goes from detail to detail', true)
  await page.getByRole('dialog').getByLabel('Comment').fill('jjj')
  checks.equal('letters of a text move nothing', new URL(page.url()).pathname, hrefs[1])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keys j and k are on' }).click()
  await page.locator('h1').click()
  await page.keyboard.press('j')
  checks.equal('keys that are off do nothing', hrefs.includes(await focused(page)), false)
  await page.getByRole('button', { name: 'Keys j and k are off' }).click()
}

async function assigned(page, api, checks) {
  const [alert] = (await api.get('/aegis/alerts?status=new')).data
  const person = (await api.get('/iam/users?status=active&type=human')).data.find(
    ({ email }) => email === 'second@example.com',
  )
  await page.goto(`/aegis/alerts/${alert.id}`)
  await page.getByRole('dialog').getByLabel('Assigned to').selectOption(person.id)
  await page.getByRole('dialog').locator('dd').getByText(person.email).waitFor()
  checks.equal(
    'the alert is the other person’s',
    (await api.get(`/aegis/alerts/${alert.id}`)).data.assignee_user_id,
    person.id,
  )
}

async function suppressed(page, api, checks) {
  const listed = (await api.get('/aegis/alerts?status=new')).data
  const details = await Promise.all(listed.map(async ({ id }) => (await api.get(`/aegis/alerts/${id}`)).data))
  const alert = details.find(({ group_by: group }) => Object.keys(group).length > 0)
  await page.goto(`/aegis/alerts/${alert.id}`)
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('button', { name: 'Suppress' }).click()
  await drawer.getByLabel('Reason').fill('A check of the console sent it.')
  await drawer.getByLabel('Days until it ends').selectOption('30')
  await checks.accessible('suppression of an alert', page)
  await drawer.getByRole('button', { name: 'Suppress', exact: true }).click()
  await drawer.locator('[data-value="suppressed"]').first().waitFor()
  const after = (await api.get(`/aegis/alerts/${alert.id}`)).data
  checks.equal('the alert is suppressed', after.status, 'suppressed')
}
