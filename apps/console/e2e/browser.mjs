/** Debian's Chromium through playwright-core, with everything that a page complains of kept. */
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

const program = process.env.CHROMIUM ?? '/usr/bin/chromium'

export async function openBrowser() {
  if (!existsSync(program)) throw new Error(`There is no ${program}: apt-get install chromium, or set CHROMIUM.`)
  return chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-gpu'] })
}

/** A page whose console errors, exceptions and violations of the content policy are in `complaints`. */
export async function openPage(browser, address, options = {}) {
  const context = await browser.newContext({ baseURL: address, viewport: { width: 1360, height: 860 }, ...options })
  const complaints = []
  await context.exposeBinding('reportViolation', (_, text) => complaints.push(text))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      window.reportViolation(
        `content policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`,
      )
    })
  })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !isAnswer(message))
      complaints.push(`console: ${message.text()} ${message.location().url}`)
  })
  return { page, context, complaints }
}

/** Chromium writes a line for every refused call; refusals are part of what is shown here. */
const isAnswer = (message) =>
  message.text().startsWith('Failed to load resource') && /\/api\/v1\//.test(message.location().url)

export async function signIn(page, { email, password }) {
  await page.goto('/')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
}
