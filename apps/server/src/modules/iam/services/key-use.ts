import type { StoredApiKey } from '../../../kernel/auth/port.ts'
import type { Activity } from '../../../kernel/lifecycle/activity.ts'

/**
 * Counts the use of keys in memory and writes it once a minute and at the end: a row per request would cost more than
 * the request. A process that dies loses at most the last minute's counts.
 */
export interface KeyUse extends Activity {
  used(key: StoredApiKey, ip: string): void
  flush(): Promise<void>
}
