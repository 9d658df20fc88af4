import type { TenantScope } from '../../../kernel/db/port.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { Answer, routesOf } from '../../../kernel/module/route.ts'
import { includedIn } from '../../../kernel/schema/include.ts'
import { consentViews, listConsents, noticeList } from '../consent/find.ts'
import { keyOf } from '../consent/memory.ts'
import { noticeView, publishNotice } from '../consent/notices.ts'
import { hashesOf } from '../consent/people.ts'
import { recordEvent } from '../consent/record.ts'
import { stateOf, statesStatement } from '../consent/state-rows.ts'
import {
  Consent,
  ConsentFilter,
  type ConsentRow,
  type NewConsent,
  NewConsent as NewConsentSchema,
  Recorded,
} from '../declared/consent-schema.ts'
import { consents } from '../declared/consent-tables.ts'
import { decide } from '../engine/decide.ts'
import { errors } from '../errors/errors.ts'
import type { DataGovServices } from '../services/data-gov-services.ts'

const route = routesOf<DataGovServices>()
/** The change feed reaches every instance by then. */
const everywhereMs = 1_000

export const consentRoutes = [
  route.post('/consents', {
    permission: 'data-gov:write',
    summary: 'Record an event of consent, or publish a notice',
    description:
      '`notice` publishes a notice or its next edition; `event` records what one person said about purposes, `batch` up to 1,000 such events, all or none. Identifiers of people are stored as keyed hashes alone. From the answer on, the gateway refuses calls that name the person in `metadata.data_subject` and a purpose in `metadata.purpose` that is not allowed; other instances do so within a second, or at once with the setting `data_gov.strict_consent`.',
    body: NewConsentSchema,
    bodyLimit: 2 * 1_048_576,
    returns: [201, Recorded],
    audit: 'data_gov.consent.create',
    ownTransactions: true,
    errors: [
      apiErrors.validation,
      errors.unknownPurpose,
      errors.impossibleEvent,
      errors.subjectUnclear,
      errors.personErased,
    ],
    handler: async (context) => {
      const { kernel, services, actor, body } = context
      const scope = scopeOf(context)
      if (body.kind === 'notice') {
        const input = body.notice ?? missing('/notice')
        const row = await kernel.db.tenant(scope, (tx) => publishNotice(services, tx, { actor, input }))
        return { kind: 'notice' as const, notice: noticeView(row), records: [], effective_within_ms: everywhereMs }
      }
      const rows = await recordAll(services, scope, { actor, events: eventsIn(body), kind: body.kind })
      const records = await kernel.db.tenant({ ...scope, readOnly: true }, (tx) =>
        consentViews(services, tx, rows, new Set(['receipt'])),
      )
      return { kind: body.kind, notice: null, records: [...records], effective_within_ms: everywhereMs }
    },
  }),
  route.get('/consents', {
    permission: 'data-gov:read',
    summary: 'List consent records, or decide by them',
    description:
      'With `decide=true` and `subject` and `purpose`, `meta.decision` says whether the purpose is allowed now, by which rule, record and event; the header `Sec-GPC: 1` counts. `include=notices` adds the notices as `meta.notices`.',
    query: ConsentFilter,
    returns: [200, Consent],
    list: { table: consents, default: '-created_at' },
    ownTransactions: true,
    errors: [apiErrors.validation],
    handler: async (context) => {
      const { kernel, services, page, query, actor, request } = context
      const hash = query.subject === undefined ? null : await services.hashOf(actor.tenantId, keyOf(query.subject))
      const gpc = request.header('sec-gpc') === '1'
      return kernel.db.tenant({ ...scopeOf(context), readOnly: true }, async (tx) => {
        const found = await listConsents(services, tx, { page, filter: query, hash })
        const meta = {
          ...(query.decide === true
            ? {
                decision: decisionFor(query, stateOf(hash === null ? [] : await tx.query(statesStatement(hash))), {
                  gpc,
                  now: kernel.clock.now(),
                }),
              }
            : {}),
          ...(includedIn(query.include).has('notices') ? { notices: await noticeList(tx) } : {}),
        }
        return new Answer(found, { meta })
      })
    },
  }),
]

const missing = (pointer: string): never => {
  throw apiErrors
    .validation({ what: 'The body lacks the part that its kind names.' })
    .at([{ detail: 'This is required.', pointer }])
}

interface Placed {
  readonly event: NonNullable<NewConsent['event']>
  readonly pointer: string
}

function eventsIn({ kind, event, events }: NewConsent): readonly Placed[] {
  if (kind === 'event') return [{ event: event ?? missing('/event'), pointer: '/event' }]
  return (events ?? missing('/events')).map((one, at) => ({ event: one, pointer: `/events/${at}` }))
}

interface Recording {
  readonly actor: { readonly userId: string }
  readonly events: readonly Placed[]
  readonly kind: string
}

async function recordAll(
  services: DataGovServices,
  scope: TenantScope,
  { actor, events, kind }: Recording,
): Promise<readonly ConsentRow[]> {
  const told = await Promise.all(
    events.map(async ({ event, pointer }) => ({
      ...{ actor, pointer, input: event },
      hashes: await hashesOf(services, scope.tenantId, event.subject.aliases),
    })),
  )
  return services.kernel.db.tenant(scope, async (tx) => {
    const rows: ConsentRow[] = []
    for (const one of told) rows.push(...(await recordEvent(services, tx, one)))
    await tx.audit('data_gov.consent.create', {
      target: `data_gov_consent:${rows[0]?.id ?? 'none'}`,
      after: { kind, records: rows.length, states: [...new Set(rows.map(({ state }) => state))] },
    })
    return [...new Map(rows.map((row) => [row.id, row])).values()]
  })
}

interface Moment {
  readonly gpc: boolean
  readonly now: number
}

/** @throws API-001 where the person or the purpose is not named */
function decisionFor(query: ConsentFilter, subject: Parameters<typeof decide>[0]['subject'], { gpc, now }: Moment) {
  if (query.subject === undefined || query.purpose === undefined)
    throw apiErrors
      .validation({ what: 'A decision needs `subject` and `purpose`.' })
      .at([{ detail: 'is required with decide', pointer: query.subject === undefined ? '?subject' : '?purpose' }])
  const at = query.at === undefined ? now : Date.parse(query.at)
  const { category, recipient, purpose } = query
  const decision = decide({ subject, purpose, category, recipient, gpc, at })
  return {
    ...{ allow: decision.allow, rule: decision.rule, reason: decision.reason },
    ...{ record_id: decision.recordId, event_id: decision.eventId, cache_seconds: 1 },
  }
}
