/**
 * The list of breached passwords that the operator brought, if any. The one that ships with the program is of common
 * passwords, nearly all of them short. Tested in rules.test.ts.
 */
import { openHashList } from '../../../kernel/hash-list/hash-list.ts'
import type { HealthCheck } from '../../../kernel/health/checks.ts'
import type { Activity } from '../../../kernel/module.ts'

export interface BreachList extends Activity {
  readonly configured: boolean
  /** Whether the password (in NFC) is known to have been stolen somewhere. */
  has(password: string): Promise<boolean>
}

/** @throws Error with words for the operator when the file is not such a list */
export function openBreachList(path: string | null): BreachList {
  const list = path === null ? null : openHashList(path)
  return {
    name: 'breached passwords',
    configured: list !== null,
    has: async (password) => (await list?.has(password)) ?? false,
    start: async () => undefined,
    stop: async () => list?.close(),
  }
}

/** Says whether there is a list, and that it can still be read. */
export function breachListCheck(list: BreachList): HealthCheck {
  return {
    name: 'breached_passwords',
    run: async () => {
      await list.has('')
      return { status: 'pass', observed: { configured: list.configured } }
    },
  }
}
