/**
 * Breached passwords: the list that the operator brought, and the service that the operator named, if any. The list
 * that ships with the program is of common passwords, nearly all of them short. Tested in rules.test.ts and
 * breach-range.test.ts.
 */

import { openHashList } from '../../../kernel/hash-list/hash-list.ts'
import type { HealthCheck } from '../../../kernel/health/checks.ts'
import type { Activity } from '../../../kernel/lifecycle/activity.ts'
import type { BreachRange } from './breach-range.ts'

export interface BreachList extends Activity {
  readonly configured: boolean
  /** Outcome of the last request to the service. */
  range(): ReturnType<BreachRange['state']>
  /** Whether the password is known to be stolen. Asks the service only about passwords the list does not contain. */
  has(password: string): Promise<boolean>
  /** Reads the list. @throws Error when it cannot be read any more */
  check(): Promise<void>
}

/** @throws Error with words for the operator when the file is not such a list */
export function openBreachList(path: string | null, service: BreachRange): BreachList {
  const list = path === null ? null : openHashList(path)
  const listed = async (password: string): Promise<boolean> => (await list?.has(password)) ?? false
  return {
    name: 'breached passwords',
    configured: list !== null || service.state() !== 'off',
    range: service.state,
    has: async (password) => {
      const spelled = password.normalize('NFC')
      return (await listed(spelled)) || service.has(spelled)
    },
    check: async () => void (await listed('')),
    start: async () => undefined,
    stop: async () => list?.close(),
  }
}

/** Reports whether there is a list or a service, the list's readability and the outcome of the last request. */
export function breachListCheck(list: BreachList): HealthCheck {
  return {
    name: 'breached_passwords',
    run: async () => {
      await list.check()
      const range = list.range()
      return { status: range === 'fails' ? 'warn' : 'pass', observed: { configured: list.configured, range } }
    },
  }
}
