/**
 * One line per request. The line is made of ids, closed words and numbers only, never of a client's input, so it
 * needs no redaction and is written by hand: a general logger costs several times the rest of the answer. Lines are
 * buffered for up to a second; a killed process loses that second of access lines, never an audit entry.
 * Tested in access-log.test.ts.
 */
import pino from 'pino'

export interface AccessFacts {
  readonly requestId: string
  readonly method: string
  /** The declared path, never the path that was sent. */
  readonly route: string
  readonly status: number
  readonly milliseconds: number
  readonly tenantId: string | null
  readonly actorId: string | null
  readonly errorCode: string | null
}

export interface AccessLog {
  write(facts: AccessFacts): void
  close(): void
}

export interface AccessLogOptions {
  /** ISO 8601. */
  readonly now: () => string
  readonly destination?: { write(line: string): void }
}

const bufferedBytes = 8_192
const longestDelayMs = 1_000

export function createAccessLog({ now, destination }: AccessLogOptions): AccessLog {
  const own =
    destination === undefined
      ? pino.destination({ fd: 1, sync: false, minLength: bufferedBytes, periodicFlush: longestDelayMs })
      : null
  const target = destination ?? own
  return {
    write: (facts) => {
      target?.write(accessLine(facts, now()))
    },
    close: () => own?.flushSync(),
  }
}

export function accessLine(facts: AccessFacts, time: string): string {
  const caller = facts.tenantId === null ? '' : `,"tenant_id":"${facts.tenantId}","actor_id":"${facts.actorId ?? ''}"`
  const error = facts.errorCode === null ? '' : `,"error_code":"${facts.errorCode}"`
  return `{"level":"info","time":"${time}","request_id":"${facts.requestId}","method":"${facts.method}","route":"${facts.route}","status":${facts.status},"ms":${facts.milliseconds.toFixed(3)}${caller}${error}}\n`
}
