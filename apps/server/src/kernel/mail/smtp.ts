/**
 * Letters by SMTP. A relay that is not on this machine has to speak TLS, because letters carry links that sign people in;
 * `?starttls=off` in the address says that the network between is trusted. Tested in smtp.test.ts.
 */
import { createTransport } from 'nodemailer'
import type { Config } from '../config/load.ts'
import { type Mailer, noMail } from './port.ts'

/** Milliseconds the relay may take to answer at each step. */
const patienceMs = 15_000
const ports: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 }
const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

type MailConfig = Pick<Config, 'smtpUrl' | 'mailFrom' | 'publicUrl'>

export function createMailer({ smtpUrl, mailFrom, publicUrl }: MailConfig): Mailer {
  if (smtpUrl === null) return noMail
  const transport = createTransport(relayOptions(new URL(smtpUrl)))
  const from = mailFrom ?? `Parapet <parapet@${new URL(publicUrl).hostname}>`
  return {
    configured: true,
    send: async ({ to, subject, text }) => {
      // An object, not text: an address that is put together from parts is never parsed as a list.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
    },
    check: async () => void (await transport.verify()),
  }
}

/** What the address of a relay says, as options of a connection. */
export function relayOptions(relay: URL) {
  const implicit = relay.protocol === 'smtps:'
  const trusted = loopback.has(relay.hostname) || relay.searchParams.get('starttls') === 'off'
  return {
    host: relay.hostname.replace(/^\[|\]$/g, ''),
    port: relay.port === '' ? (ports[relay.protocol] ?? 587) : Number(relay.port),
    secure: implicit,
    requireTLS: !implicit && !trusted,
    ignoreTLS: !implicit && trusted,
    ...(relay.username === ''
      ? {}
      : { auth: { user: decodeURIComponent(relay.username), pass: decodeURIComponent(relay.password) } }),
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
