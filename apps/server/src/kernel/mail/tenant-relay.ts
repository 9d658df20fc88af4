/**
 * Letters through a relay that a tenant names. The connection is made by the guarded way out, so that a relay is no way
 * into the operator's network; without TLS from the start it has to be in a private network that the operator allowed.
 * Nothing is kept or repeated. Tested in tenant-relay.test.ts.
 */
import { createTransport } from 'nodemailer'
import { EgressError } from '../egress/errors.ts'
import type { Egress } from '../egress/fetch.ts'

export interface TenantRelay {
  readonly host: string
  readonly port: number
  /** TLS from the start; otherwise STARTTLS where the relay offers it. */
  readonly tls: boolean
  readonly from: string
  readonly user: string | null
  readonly password: string | null
}

export interface RelayedLetter {
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
}

/** Milliseconds the relay may take to answer at each step. */
const patienceMs = 15_000

/** @returns the relay's answer. @throws EgressError for a refused or failed connection, Error where the relay took nothing */
export async function sendThroughRelay(
  egress: Pick<Egress, 'dial'>,
  relay: TenantRelay,
  { to, subject, text }: RelayedLetter,
): Promise<string> {
  const { host, port, tls, from, user, password } = relay
  const transport = createTransport({
    ...{ host, port, secure: tls },
    ...(user === null ? {} : { auth: { user, pass: password ?? '' } }),
    ...{ connectionTimeout: patienceMs, greetingTimeout: patienceMs, socketTimeout: patienceMs },
    ...{ disableFileAccess: true, disableUrlAccess: true },
    getSocket: (_options, done) => {
      egress.dial({ host, port, tls: tls ? {} : null, timeoutMs: patienceMs }).then(
        (connection) => done(null, { connection, secured: tls }),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), false),
      )
    },
  })
  try {
    const told = await transport.sendMail({
      from,
      to: to.map((address) => ({ name: '', address })),
      ...{ subject, text, textEncoding: 'quoted-printable' },
    })
    return String(told.response ?? '')
  } catch (error) {
    throw egressFault(error) ?? error
  } finally {
    transport.close()
  }
}

function egressFault(error: unknown): EgressError | null {
  if (error instanceof EgressError) return error
  return error instanceof Error && error.cause instanceof EgressError ? error.cause : null
}
