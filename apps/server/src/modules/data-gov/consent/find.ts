/** Consent records as lists show them, and the decision by them. Tested in consents.test.ts. */
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { includedIn } from '../../../kernel/schema/include.ts'
import type { Consent, ConsentEventRow, ConsentFilter, ConsentRow, NoticeRow } from '../declared/consent-schema.ts'
import { consentHistory, consents, notices } from '../declared/consent-tables.ts'
import { inOrder } from '../engine/fold.ts'
import type { DataGovServices } from '../services/data-gov-services.ts'
import { signJws } from '../services/jws.ts'
import { noticeView } from './notices.ts'
import { receiptOf } from './receipt.ts'

const mostNotices = 200

type Parts = Pick<DataGovServices, 'kernel'>

export interface ConsentList {
  readonly page: PageRequest
  readonly filter: ConsentFilter
  /** Of the identifier in `filter.subject`. */
  readonly hash: string | null
}

export async function listConsents(parts: Parts, tx: Tx, { page, filter, hash }: ConsentList): Promise<Page<Consent>> {
  const found = await consents.page(tx, page, join(conditions(filter, hash), ' and '))
  return { ...found, items: await consentViews(parts, tx, found.items, includedIn(filter.include)) }
}

function conditions(filter: ConsentFilter, hash: string | null): readonly SqlPart[] {
  const { q, purpose, state, notice_key: key, expires_before: before, id } = filter
  return [
    sql`true`,
    ...(hash === null ? [] : [sql`subject_id in (select subject_id from data_gov_alias where hash = ${hash})`]),
    ...(q === undefined ? [] : [sql`purpose like ${likePrefix(q)}`]),
    ...(purpose === undefined ? [] : [sql`purpose = ${purpose}`]),
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(key === undefined ? [] : [sql`notice_key = ${key}`]),
    ...(before === undefined ? [] : [sql`valid_until < ${before}`]),
    ...(id === undefined ? [] : [sql`id = ${id}`]),
  ]
}

export async function consentViews(
  { kernel }: Parts,
  tx: Tx,
  rows: readonly ConsentRow[],
  include: ReadonlySet<string>,
): Promise<readonly Consent[]> {
  const [withEvents, withReceipt] = [include.has('events'), include.has('receipt')]
  const ids = rows.map(({ id }) => id)
  const events =
    (withEvents || withReceipt) && ids.length > 0
      ? await tx.query(sql<ConsentEventRow>`
          select ${consentHistory.columns} from data_gov_consent_event where consent_id = any(${ids}::uuid[])`)
      : []
  return Promise.all(
    rows.map(async (row) => {
      const own = inOrder(events.filter((event) => event.consent_id === row.id))
      const { version: _version, event_id: _event, ...shown } = row
      return {
        ...shown,
        ...(withEvents ? { events: own.map(eventView) } : {}),
        ...(withReceipt
          ? { receipt: await signJws(kernel.signingKeys, 'consent-record+jws', receiptOf(row, own)) }
          : {}),
      }
    }),
  )
}

function eventView(row: ConsentEventRow) {
  const { id, event, basis, method, evidence_sha256, locale, occurred_at, valid_until, gpc } = row
  return { id, event, basis, method, evidence_sha256, locale, occurred_at, valid_until, gpc }
}

/** The newest first. */
export async function noticeList(tx: Tx) {
  const rows = await tx.query(sql<NoticeRow>`
    select ${notices.columns} from data_gov_notice order by created_at desc, id desc limit ${mostNotices}`)
  return rows.map(noticeView)
}
