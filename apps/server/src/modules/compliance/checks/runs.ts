/**
 * When checks run: those that are due, once a minute for tenants that have any, and those that an event asks for, at once
 * and at most every half minute for a burst. Tested in checks.test.ts.
 */
import { sql } from '../../../kernel/db/sql.ts'
import type { LoggedEvent } from '../../../kernel/events/catalogue/logged-event.ts'
import type { EventBatch, EventHandlerDeclaration, JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import type { ComplianceServices } from '../services/compliance-services.ts'
import type { CheckDefinition } from './define.ts'
import { performChecks } from './perform.ts'
import { checkOf, checks, triggerChannels, triggeredBy } from './registry.ts'
import type { RunContext } from './run-check.ts'

const jobKind = 'compliance.checks'
/** Milliseconds between the runs that a burst of events causes. */
const spacingMs = 30_000
/** How long before a run is no longer fresh the next one is due, so that no score dips between the two. */
const early = '1 hour'

export const checkTriggers: EventHandlerDeclaration<ComplianceServices> = {
  name: 'compliance.check_triggers',
  channels: triggerChannels,
  handle: askForRuns,
}

async function askForRuns({ tx, events, kernel }: EventBatch<ComplianceServices>): Promise<void> {
  const asked = new Map<string, { readonly ids: readonly string[]; readonly event: LoggedEvent }>()
  for (const event of events) {
    const ids = triggeredBy(event.channel).map(({ id }) => id)
    if (ids.length > 0 && !asked.has(ids.join())) asked.set(ids.join(), { ids, event })
  }
  for (const [key, { ids, event }] of asked) {
    const last = await tx.first(sql<{ at: string | null }>`
      select min(run_at) as at from compliance_check where id = any(${ids}::text[])`)
    const earliest = last?.at ? Date.parse(last.at) + spacingMs : 0
    const cause = { event_id: event.id, channel: event.channel, subject: event.subject }
    const payload = { ids, cause, traceparent: event.traceparent, causation_depth: tx.origin.causationDepth }
    await tx.enqueue({ kind: jobKind, key, payload, runAt: Math.max(kernel.clock.now(), earliest) })
  }
}

/** Also runs by itself: what was never run is due at once. */
export const checkJob: JobDeclaration<ComplianceServices> = {
  kind: jobKind,
  maxAttempts: 5,
  leaseMs: 60_000,
  everyMs: 60_000,
  due: ({ now }) => sql`(not exists (select from compliance_check run where run.tenant_id = tenant.id)
    or exists (select from compliance_check run
      where run.tenant_id = tenant.id and run.due_at <= ${now}::timestamptz + ${early}::interval))`,
  run: async ({ services, kernel, tenantId, payload }: JobContext<ComplianceServices>) => {
    const { traceparent, causation_depth: depth } = payload
    const origin = {
      traceparent: typeof traceparent === 'string' ? traceparent : null,
      causationDepth: typeof depth === 'number' ? depth : 0,
    }
    const scope = { tenantId, origin }
    const wanted = Array.isArray(payload.ids)
      ? payload.ids.flatMap((id) => checkOf(String(id)) ?? [])
      : await kernel.db.tenant({ tenantId, readOnly: true }, async (tx) => {
          const fresh = await tx.query(sql<{ id: string }>`
            select id from compliance_check where due_at > ${kernel.clock.iso()}::timestamptz + ${early}::interval`)
          const ids = new Set(fresh.map(({ id }) => id))
          return checks.filter(({ id }) => !ids.has(id))
        })
    await runAll(services, scope, { wanted, cause: causeOf(payload.cause) })
  },
}

interface Wanted {
  readonly wanted: readonly CheckDefinition[]
  readonly cause: RunContext['cause']
}

async function runAll(
  services: ComplianceServices,
  scope: Parameters<typeof performChecks>[1]['scope'],
  { wanted, cause }: Wanted,
): Promise<void> {
  if (wanted.length > 0) await performChecks(services, { scope, checks: wanted, cause })
}

function causeOf(value: unknown): RunContext['cause'] {
  if (typeof value !== 'object' || value === null) return null
  const { event_id: id, channel, subject } = value as Record<string, unknown>
  return { event_id: String(id), channel: String(channel), subject: String(subject) }
}
