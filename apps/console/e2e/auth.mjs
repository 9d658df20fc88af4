/** Accounts from the letter on: invitation, second factor, recovery code, passkey, forgotten password. */
import { createHmac } from 'node:crypto'
import { openPage, signIn } from './browser.mjs'

const newPassword = 'another long passphrase of the checks'

export async function accounts(browser, demo, checks) {
  await newcomer(browser, demo, checks)
  await byPasskeyAlone(browser, demo, checks)
}

async function newcomer(browser, { address, invite, as, mail, api }, checks) {
  const person = await invite({ email: 'newcomer@example.com', role: 'security_analyst' })
  const { page, context, complaints } = await openPage(browser, address)
  await page.goto('/')
  await page.getByLabel('E-mail').waitFor()
  await checks.accessible('sign-in', page)
  await invitation(page, person, { checks, as })
  const codes = await authenticatorApp(page, person, { checks, api })
  await recoveryCode(page, { person, code: codes[0] }, checks)
  await freshness(page, codes[1], checks)
  await passkey(page, context, checks)
  await forgotten(page, { person, mail }, checks)
  checks.equal('complaints of the account pages', complaints.join('\n'), '')
  await context.close()
}

async function invitation(page, { email, password, link }, { checks, as }) {
  await page.goto(link)
  await page.getByRole('heading', { name: 'Accept an invitation' }).waitFor()
  checks.expect('the link of the letter is a page', (await page.locator('#token').inputValue()).length > 20)
  await page.goto(`/sign-in/invitation#${link.split('#')[1]}`)
  await page.getByRole('heading', { name: 'Accept an invitation' }).waitFor()
  checks.equal('the secret leaves the address', new URL(page.url()).hash, '')
  await checks.accessible('invitation', page)
  await page.getByLabel('Password').fill('short')
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByRole('alert').waitFor()
  checks.expect('a weak password is refused with its code', /IAM-\d+/.test(await page.getByRole('alert').innerText()))
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByText(`You can sign in as ${email} now`).waitFor()
  checks.equal('the account is active', (await (await as({ email, password })).get('/auth/me')).data.user.email, email)
}

async function authenticatorApp(page, person, { checks, api }) {
  await signIn(page, person)
  await page.getByTitle('Your account').click()
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  await page.getByRole('button', { name: 'Add an authenticator app' }).click()
  const secret = await page.getByTestId('totp-secret').innerText()
  checks.expect('the QR code is drawn', await page.locator('img.qr').evaluate((image) => image.naturalWidth > 0))
  await checks.accessible('second factor', page)
  await page.getByLabel('Code that the app shows').fill(totp(secret))
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await page.getByTestId('recovery-codes').waitFor()
  const codes = await page.getByTestId('recovery-codes').locator('code').allTextContents()
  checks.equal('recovery codes', codes.length, 10)
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByRole('cell', { name: 'Authenticator app' }).first().waitFor()
  const [{ id }] = (await api.get(`/iam/users?q=${person.email}`)).data
  const { factors } = (await api.get(`/iam/users/${id}`)).data
  checks.equal('factors of the account', factors.map(({ kind }) => kind).join(), 'totp')
  await page.getByRole('button', { name: 'Make new recovery codes (10 left)' }).waitFor()
  checks.equal('codes are shown once', await page.getByTestId('recovery-codes').count(), 0)
  await checks.accessible('account', page)
  return codes
}

async function recoveryCode(page, { person: { email, password }, code }, checks) {
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('Code of your authenticator app').fill(code)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByTitle('Your account').waitFor()
  checks.expect('a recovery code signs in', true)
}

/** The first answer says that the session is too old, as it is after ten minutes; the rest is the server’s. */
async function freshness(page, code, checks) {
  await page.goto('/iam/account')
  const problem = { title: 'Fresh Authentication Needed', status: 401, detail: 'Confirm.', error_code: 'AUTH-009' }
  const address = '**/api/v1/auth/mfa/recovery-codes'
  await page.route(address, (route) =>
    route.fulfill({ status: 401, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
  )
  await page.getByRole('button', { name: /^Make new recovery codes/ }).click()
  await page.getByText('Confirm that it is you').waitFor()
  await checks.accessible('fresh authentication', page)
  await page.unroute(address)
  await page.getByLabel('Code of your authenticator app, or a recovery code').fill(code)
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await page.getByText('Confirm that it is you').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Make new recovery codes/ }).click()
  await page.getByTestId('recovery-codes').waitFor()
  checks.equal('new codes after the proof', await page.getByTestId('recovery-codes').locator('code').count(), 10)
  await page.locator('.live[data-at="live"]').waitFor()
  await page.getByRole('button', { name: 'I have kept them' }).click()
}

/** An authenticator of the browser's own, which says yes by itself. */
async function addAuthenticator(page, context) {
  const devices = await context.newCDPSession(page)
  await devices.send('WebAuthn.enable')
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
}

/** An invitation accepted with a passkey: the account never has a password. */
async function byPasskeyAlone(browser, { address, invite }, checks) {
  const { email, link } = await invite({ email: 'keyed@example.com', role: 'viewer' })
  const { page, context, complaints } = await openPage(browser, address)
  await addAuthenticator(page, context)
  await page.goto(`/sign-in/invitation#${link.split('#')[1]}`)
  await page.getByRole('button', { name: 'Use a passkey instead' }).click()
  await page.getByRole('button', { name: 'Make a passkey' }).click()
  await page.getByTestId('recovery-codes').waitFor()
  await checks.accessible('recovery codes', page)
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByText(`You can sign in as ${email} now`).waitFor()
  await checks.accessible('active account', page)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  checks.expect('an invitation is accepted by passkey', true)
  checks.equal('complaints of a sign-in by passkey', complaints.join('\n'), '')
  await context.close()
}

async function passkey(page, context, checks) {
  await addAuthenticator(page, context)
  await page.goto('/iam/account')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('cell', { name: 'Passkey', exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByTitle('Your account').waitFor()
  checks.expect('a passkey signs in alone', true)
  await page.getByRole('button', { name: 'Sign out' }).click()
}

async function forgotten(page, { person: { email }, mail }, checks) {
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByRole('heading', { name: 'Forgot your password' }).waitFor()
  await checks.accessible('forgotten password', page)
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Send me a link' }).click()
  await page.getByText('a letter is on its way').waitFor()
  const link = await mail.link(email, 'reset')
  await page.goto(`/sign-in/reset#${link.split('#')[1]}`)
  await page.getByLabel('New password').fill(newPassword)
  await checks.accessible('new password', page)
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByRole('heading', { name: 'Your password is set' }).waitFor()
  await page.goto(`/sign-in/reset#${link.split('#')[1]}`)
  await page.getByLabel('New password').fill(newPassword)
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByRole('alert').waitFor()
  checks.expect('a link works once', (await page.getByRole('alert').innerText()).includes('AUTH-002'))
  await page.goto('/')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(newPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('Code of your authenticator app').waitFor()
  checks.expect('the new password is taken, and the second factor stays', true)
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 6238 with six digits of SHA-1, as authenticator apps have it. */
function totp(secret) {
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const digest = createHmac('sha1', key).update(step).digest()
  const at = digest[19] & 15
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
