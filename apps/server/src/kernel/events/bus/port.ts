/**
 * The bus between instances: a hint that something happened. Promises at least once while all is well and that a failed
 * publish never throws; does not promise delivery, so a reader that needs every message reads the table behind it.
 * Tested by contract.ts on every adapter.
 */

export interface BusMessage {
  /** Tokens of letters, digits, `_` and `-` joined by dots, beginning with `ev` or `ctl`: `ev.<tenant>.<channel>`. */
  readonly subject: string
  /** The event's id; an adapter may drop a message whose id it has seen in the last minutes. */
  readonly id: string
  /** Shared between subscribers: read, never change. */
  readonly body: Uint8Array
}

export interface Bus {
  /** Resolves when the message is handed over or given up; failures go to the adapter's `onError`. */
  publish(message: BusMessage): Promise<void>
  /**
   * Calls `handler` for every message below `prefix` (`ev.t1` covers `ev.t1.iam.user`, not `ev.t10.x` nor `ev.t1`)
   * published after this resolves. The result ends it. Throws RangeError on a malformed prefix.
   */
  subscribe(prefix: string, handler: (message: BusMessage) => void): Promise<() => Promise<void>>
  /** False while messages cannot travel. */
  healthy(): boolean
  close(): Promise<void>
}

const subjectPattern = /^(?:ev|ctl)(?:\.[A-Za-z0-9_-]{1,128}){1,8}$/
const prefixPattern = /^(?:ev|ctl)(?:\.[A-Za-z0-9_-]{1,128}){0,7}$/

/** The error of a subject that no adapter may send, or null. */
export function subjectError(subject: string): RangeError | null {
  return subjectPattern.test(subject) ? null : new RangeError(`"${subject}" is not a subject of the bus.`)
}

/** Throws RangeError on a malformed prefix. */
export function checkPrefix(prefix: string): void {
  if (!prefixPattern.test(prefix)) throw new RangeError(`"${prefix}" is not a prefix of subjects of the bus.`)
}
