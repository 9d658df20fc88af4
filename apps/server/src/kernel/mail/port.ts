/**
 * The mail port. It promises that a letter which `send` acknowledges was taken by the relay; whether it was read, or
 * arrives at all, it does not know. It keeps and repeats nothing: callers send from jobs, which do. Tested in smtp.test.ts.
 */

/** Made by a declared mail (`define.ts`): there is nothing in a letter that a mail reader could run or load. */
export interface Letter {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same as HTML, with all values escaped. */
  readonly html?: string
  readonly unsubscribe?: Unsubscribe
}

/** How a reader ends letters of this kind (RFC 2369). */
export interface Unsubscribe {
  /** An https address. */
  readonly url: string
  /** A POST to it ends them without a further question (RFC 8058). */
  readonly oneClick: boolean
}

export interface Mailer {
  /** Without a relay nothing is sent, and callers hand out links themselves or do without. */
  readonly configured: boolean
  /** @throws Error when the relay did not take the letter, or none is configured */
  send(letter: Letter): Promise<void>
  /** Connects, greets and signs in, and sends nothing. @throws Error when the relay would take no letter */
  check(): Promise<void>
}

const unconfigured = (): Promise<never> => Promise.reject(new Error('no mail relay is configured'))

/** For installations without a relay. */
export const noMail: Mailer = {
  configured: false,
  send: unconfigured,
  check: unconfigured,
}
