/**
 * The one logger: JSON lines, written once and redacted: by names and looks (redact.ts) and by known secrets
 * (live-secrets.ts).
 * It promises that a line is one line and valid JSON; it does not ship lines anywhere but to its destination.
 * Tested in log.test.ts.
 */
import pino from 'pino'
import type { LiveSecrets } from './live-secrets.ts'
import { redactFields, redactText } from './redact.ts'

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'

/** A pino logger, so that it can be handed to the HTTP server as well. */
export type Logger = pino.Logger

export interface LogOptions {
  readonly level: LogLevel
  /** Unix milliseconds. */
  readonly now: () => number
  /** Takes whole lines; default is standard output. */
  readonly destination?: { write(line: string): void }
  /** Fields of every line, for instance the node's name. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Source of opened secrets, so that they are known by more than their form. */
  readonly secrets?: Pick<LiveSecrets, 'hideInLine'>
}

export function createLogger(options: LogOptions): Logger {
  const { secrets } = options
  const log: Logger = pino(
    {
      level: options.level,
      base: options.fields === undefined ? {} : { ...options.fields },
      timestamp: () => `,"time":"${new Date(options.now()).toISOString()}"`,
      messageKey: 'message',
      errorKey: 'error',
      // redactFields already turns errors into plain objects; pino's own serializer would add their other members.
      serializers: { error: (value: unknown) => value, err: (value: unknown) => value },
      formatters: { level: (level) => ({ level }), log: redactFields, bindings: redactFields },
      // Known secrets go first: one may contain the form of another.
      hooks: { streamWrite: (line) => redactText(secrets?.hideInLine(line) ?? line) },
    },
    options.destination ?? pino.destination({ fd: 1, sync: true }),
  )
  return withRedactedChildren(log)
}

/** Pino drops the bindings formatter for child loggers, so their fields are redacted before they reach it. */
function withRedactedChildren(log: Logger): Logger {
  const makeChild: (this: Logger, fields: pino.Bindings, options?: pino.ChildLoggerOptions) => Logger = log.child
  return Object.assign(log, {
    child(this: Logger, fields: pino.Bindings, options?: pino.ChildLoggerOptions): Logger {
      return Reflect.apply(makeChild, this, [redactFields(fields), options])
    },
  })
}
