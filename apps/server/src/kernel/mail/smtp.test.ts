import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMailer, relayOptions } from './smtp.ts'
import { type MailSink, openMailSink } from './testing/mail-sink.ts'

let sink: MailSink
beforeAll(async () => {
  sink = await openMailSink()
})
afterAll(() => sink.close())

const mailer = () => createMailer({ smtpUrl: sink.url, mailFrom: null, publicUrl: 'https://parapet.example' })
const letter = {
  to: 'ada@acme.example',
  subject: 'A subject',
  text: `https://parapet.example/reset#${'x'.repeat(90)}\n`,
}

test('a letter reaches the relay with its long link in one piece', async () => {
  await mailer().send(letter)
  const got = sink.newestTo('ada@acme.example')
  expect(got).toMatchObject({ from: 'parapet@parapet.example', subject: 'A subject', to: ['ada@acme.example'] })
  expect(got?.text).toContain(letter.text.trim())
})

test('text of others adds no recipient and no header', async () => {
  const to = 'grace@acme.example'
  await mailer().send({ ...letter, to, subject: 'Hello\r\nBcc: eve@evil.example' })
  expect(sink.newestTo(to)?.to).toEqual([to])
  await mailer()
    .send({ ...letter, to: 'list@acme.example, eve@evil.example' })
    .catch(() => undefined)
  expect(sink.newestTo('eve@evil.example')).toBeUndefined()
})

test('C34 a letter of text is plain text, whatever stands in it', async () => {
  const to = 'mary@acme.example'
  const text = '<!doctype html><html><img src="https://evil.example/x" onerror="alert(1)"></html>'
  await mailer().send({ ...letter, to, text })
  const got = sink.newestTo(to)
  expect(got?.type).toMatch(/^text\/plain(;|$)/)
  expect(got?.text).toContain(text)
})

test('a letter has its HTML part, and the headers with which readers end letters of its kind', async () => {
  const to = 'hedy@acme.example'
  const html = '<p>Grüße — a line that is long enough to be broken by an encoding of seventy-six characters</p>'
  const unsubscribe = { url: 'https://parapet.example/end?token=a', oneClick: true }
  await mailer().send({ ...letter, to, html, unsubscribe })
  const got = sink.newestTo(to)
  expect(got?.type).toMatch(/^multipart\/alternative/)
  expect(got?.text).toContain(letter.text.trim())
  expect(got?.html).toContain(html)
  expect(got?.head).toContain('List-Unsubscribe: <https://parapet.example/end?token=a>')
  expect(got?.head).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  const asking = { ...letter, to, unsubscribe: { url: 'http://parapet.example/end', oneClick: false } }
  await expect(mailer().send(asking)).rejects.toThrow('https')
})

test('a relay that refuses a letter is an error, and so is none', async () => {
  sink.refuse(1)
  await expect(mailer().send(letter)).rejects.toThrow(/451|busy/)
  const none = createMailer({ smtpUrl: null, mailFrom: null, publicUrl: 'https://parapet.example' })
  expect(none.configured).toBe(false)
  await expect(none.send(letter)).rejects.toThrow('no mail relay')
})

test('a relay on another machine has to speak TLS, unless its address says that the network is trusted', () => {
  const options = (address: string) => relayOptions(new URL(address))
  expect(options('smtp://user:p%40ss@relay.example')).toMatchObject({
    port: 587,
    requireTLS: true,
    auth: { user: 'user', pass: 'p@ss' },
  })
  expect(options('smtps://relay.example')).toMatchObject({ port: 465, secure: true })
  expect(options('smtp://relay.example:25?starttls=off')).toMatchObject({
    port: 25,
    requireTLS: false,
    ignoreTLS: true,
  })
  expect(options('smtp://127.0.0.1:25')).toMatchObject({ requireTLS: false })
})
