import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { Activity } from '../../../kernel/lifecycle/activity.ts'

const reportEveryMs = 60_000

export interface Failures {
  readonly count: number
  /** Codes of the errors, where they were named; each once. */
  readonly codes: readonly string[]
}

/**
 * Reports failures once a minute and subject, not each one, so that their causer cannot flood the log.
 * Counters that decide anything are in the database; these only report, and a process that dies loses its last minute.
 */
export interface MinuteReports extends Activity {
  failed(tenantId: TenantId, about: string, code?: string): void
  flush(): Promise<void>
}

interface Reporting {
  readonly name: string
  readonly tell: (tx: Tx, about: string, failures: Failures) => Promise<void>
}

export function createMinuteReports(kernel: Kernel, { name, tell }: Reporting): MinuteReports {
  let noted = new Map<string, { readonly tenantId: TenantId; readonly codes: (string | undefined)[] }>()
  let timer: { stop(): void } | null = null

  const flush = async (): Promise<void> => {
    const taken = noted
    noted = new Map()
    for (const [about, { tenantId, codes }] of taken) {
      const named = [...new Set(codes)].filter((code) => code !== undefined).sort()
      await kernel.db.tenant({ tenantId }, (tx) => tell(tx, about, { count: codes.length, codes: named }))
    }
  }

  return {
    name,
    failed: (tenantId, about, code) => {
      const known = noted.get(about) ?? { tenantId, codes: [] }
      known.codes.push(code)
      noted.set(about, known)
    },
    flush,
    start: async () => {
      timer = kernel.clock.every(reportEveryMs, () => kernel.background(name, flush()))
    },
    stop: async () => {
      timer?.stop()
      await flush()
    },
  }
}
